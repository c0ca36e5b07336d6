import { type AdminInvoice, webhookEvent } from "@creditgate/admin";
import express, { type Router } from "express";
import { Webhook } from "standardwebhooks";
import type { Stripe } from "stripe";

export interface CreditgateWebhookOptions {
  readonly stripe: Pick<Stripe, "paymentIntents">;
  /** What Creditgate signs its webhooks with: `whsec_…`, shown when the endpoint was made. */
  readonly secret: string;
  /** Whom Stripe is to charge, and how; `undefined` for customers without a saved means of payment. */
  payerOf(customerId: string): Promise<Payer | undefined>;
}

/** A customer of Stripe's, with a means of payment that was saved for use without them. */
export interface Payer {
  readonly customer: string;
  readonly payment_method: string;
}

/** Has invoices of orders paid as Creditgate makes them: those of auto top-ups, above all. */
export function creditgateWebhook({ stripe, secret, payerOf }: CreditgateWebhookOptions): Router {
  const router = express.Router();
  const webhook = new Webhook(secret);

  router.post("/", express.text({ type: "application/json", limit: "256kb" }), async (req, res) => {
    let body: unknown;
    try {
      body = webhook.verify(String(req.body), req.headers as Record<string, string>);
    } catch {
      return void res.sendStatus(400);
    }
    const event = webhookEvent.safeParse(body);
    if (event.success && event.data.type === "invoice.created") await charge(event.data.data);
    res.sendStatus(204);
  });

  async function charge({ invoiceId, customerExternalId, type, amount, currency }: AdminInvoice) {
    const payer = type === "order" ? await payerOf(customerExternalId) : undefined;
    if (payer === undefined || amount === null || amount === 0 || currency === null) return;
    try {
      await stripe.paymentIntents.create(
        {
          ...payer,
          amount,
          currency: currency.toLowerCase(),
          confirm: true,
          off_session: true,
          metadata: { creditgate_invoice: invoiceId, creditgate_customer: customerExternalId },
        },
        // The invoice's own id: it is charged once, however often the event is delivered.
        { idempotencyKey: invoiceId },
      );
    } catch (error) {
      // The invoice stays open, and no other top-up is ordered meanwhile: ask the customer for another card.
      if (!isCardError(error)) throw error;
    }
  }

  return router;
}

function isCardError(error: unknown): boolean {
  return error instanceof Error && "type" in error && error.type === "StripeCardError";
}
