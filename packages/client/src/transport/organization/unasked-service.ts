/**
 * In a bundle for Workers, whose wallets are in objects of their own: a shared ledger there needs the option
 * `organization`.
 */
export async function reportedOrganization(): Promise<string | undefined> {
  return undefined;
}
