/** What a payment is for, as its metadata say; `undefined` for one that is not Creditgate's. */
export type Purpose =
  | { readonly kind: "credits"; readonly customerId: string }
  | { readonly kind: "invoice"; readonly invoiceId: string };

/**
 * Stripe copies the metadata of a payment to its charge, which a refund event contains. Give a checkout session
 * `payment_intent_data: { metadata: { creditgate_customer } }` as well as its `client_reference_id`.
 */
export function purposeOf(metadata: Readonly<Record<string, string>>): Purpose | undefined {
  const { creditgate_customer: customerId, creditgate_invoice: invoiceId } = metadata;
  if (invoiceId !== undefined) return { kind: "invoice", invoiceId };
  return customerId === undefined ? undefined : { kind: "credits", customerId };
}

/** What a credit costs. A payment that is delivered again must come to the same credits: keep old prices for old payments. */
const centsPerCredit = 10;

/** The credits that an amount of minor units pays for. */
export function creditsOf(amount: number): number {
  return amount / centsPerCredit;
}
