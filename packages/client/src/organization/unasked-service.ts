/** In a bundle for Workers, whose wallets are in objects of their own: a shared ledger there is told the organisation. */
export async function toldOrganization(): Promise<string | undefined> {
  return undefined;
}
