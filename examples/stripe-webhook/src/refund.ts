import type { OrganizationAdmin } from "@creditgate/admin";
import { isCreditgateError } from "@creditgate/client";
import type { Stripe } from "stripe";
import { creditsOf, purposeOf } from "./purpose.ts";

/**
 * Takes back what a refund has given back. Each refund of a charge moves its refunded sum from one amount to another.
 * The sum keeps a refund from being taken twice, and from being missed if a later one is delivered first.
 */
export async function refund(
  organization: Pick<OrganizationAdmin, "wallets" | "invoices">,
  charge: Pick<Stripe.Charge, "id" | "amount_refunded" | "metadata">,
  refundedBefore: number,
): Promise<void> {
  const purpose = purposeOf(charge.metadata);
  const amount = charge.amount_refunded - refundedBefore;
  if (purpose === undefined || amount <= 0) return;
  const key = `${charge.id}:${charge.amount_refunded}`;
  const reason = `refund of ${charge.id}`;
  if (purpose.kind === "credits") {
    // What is spent already goes on the credit line: the customer owes it.
    await organization.wallets.correct(
      {
        customerId: purpose.customerId,
        creditCurrencyKey: "ai_credits",
        credits: -creditsOf(amount),
        reason,
      },
      { idempotencyKey: key },
    );
    return;
  }
  const { invoiceId } = purpose;
  const invoice = await organization.invoices.get(invoiceId);
  // All of it takes back all its credits, as far as the wallet has them; a part is a price reduction, and takes none.
  const isWhole = amount === invoice.amount;
  try {
    await organization.invoices.credit(invoiceId, isWhole ? { reason } : { amount, reason }, {
      idempotencyKey: key,
    });
  } catch (error) {
    if (!isWhole || !isCreditgateError(error) || error.problem?.code !== "credits_used") throw error;
    // The money is back already: what has been used stays used.
    await organization.invoices.credit(invoiceId, { amount, reason }, { idempotencyKey: `${key}:used` });
  }
}
