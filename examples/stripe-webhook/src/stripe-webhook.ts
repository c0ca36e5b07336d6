import type { OrganizationAdmin } from "@creditgate/admin";
import express, { type Router } from "express";
import type { Stripe } from "stripe";
import { creditsOf, purposeOf } from "./purpose.ts";
import { refund } from "./refund.ts";

export interface StripeWebhookOptions {
  readonly stripe: Pick<Stripe, "webhooks">;
  /** What Stripe signs its events with: `whsec_…`. */
  readonly secret: string;
  readonly organization: Pick<OrganizationAdmin, "wallets" | "invoices">;
}

/**
 * Handles a payment by Stripe once, however often, in whatever order and by whichever events Stripe delivers it. What
 * cannot be done is an error: Stripe sees a 5xx and delivers again, for days, until it is fixed.
 */
export function stripeWebhook({ stripe, secret, organization }: StripeWebhookOptions): Router {
  const router = express.Router();

  // The signature is of the bytes, so they are parsed here: mount this before `express.json()`.
  router.post("/", express.raw({ type: "application/json", limit: "256kb" }), async (req, res) => {
    let event: Stripe.Event;
    try {
      event = stripe.webhooks.constructEvent(req.body, req.get("stripe-signature") ?? "", secret);
    } catch {
      return void res.sendStatus(400);
    }
    await take(organization, event);
    res.sendStatus(200);
  });

  return router;
}

async function take(organization: StripeWebhookOptions["organization"], event: Stripe.Event): Promise<void> {
  switch (event.type) {
    // A card is paid with the first, a bank transfer with the second; some payments send both.
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded": {
      const session = event.data.object;
      if (session.payment_status === "paid") await topUp(organization, session);
      return;
    }
    // Of an invoice of Creditgate's, as of an auto top-up: again, and nothing changes.
    case "payment_intent.succeeded": {
      const purpose = purposeOf(event.data.object.metadata);
      if (purpose?.kind === "invoice") await organization.invoices.markPaid(purpose.invoiceId);
      return;
    }
    case "charge.refunded": {
      const before = event.data.previous_attributes?.amount_refunded ?? 0;
      return refund(organization, event.data.object, before);
    }
    default:
    // Another event: any other status would have it delivered again.
  }
}

async function topUp(
  { wallets }: StripeWebhookOptions["organization"],
  { id, client_reference_id, amount_total }: Stripe.Checkout.Session,
): Promise<void> {
  if (client_reference_id === null || amount_total === null)
    throw new Error(`checkout session ${id}: expected client_reference_id and amount_total, received none`);
  const top_ups = [{ credit_currency_key: "ai_credits", credits: creditsOf(amount_total) }];
  // The payment's own id. With a random key, or the event's id, a payment that is delivered twice would be credited
  // twice.
  await wallets.topUp({ customer_id: client_reference_id, top_ups }, { idempotencyKey: id });
}
