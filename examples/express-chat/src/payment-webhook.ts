import type { Client } from "@creditgate/client";
import express, { type Router } from "express";
import { type Payment, paymentOf, verifySignature } from "./payment-event.ts";

export interface PaymentWebhookOptions {
  readonly client: Pick<Client, "wallets">;
  /** What the provider signs its events with. */
  readonly secret: string;
  /** @default the system's clock */
  readonly now?: () => number;
}

/** What a credit costs. A payment that is delivered again must come to the same credits: keep old prices for old payments. */
const centsPerCredit = 10;

/**
 * Tops up the wallet of a customer who has paid, once for each payment, however often the provider delivers it. What
 * cannot be credited is an error: the provider sees a 5xx and delivers again, for days, until it is fixed.
 */
export function paymentWebhook({ client, secret, now = Date.now }: PaymentWebhookOptions): Router {
  const router = express.Router();

  // The signature is of the bytes, so they are parsed here: mount this before `express.json()`.
  router.post("/", express.raw({ type: "application/json", limit: "256kb" }), async (req, res) => {
    const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    verifySignature(secret, req.get("stripe-signature") ?? "", body, now());

    const payment = paymentOf(body);
    // Another event: any other status would have it delivered again.
    if (payment === undefined) return void res.sendStatus(200);

    const credits = payment.amount / centsPerCredit;
    try {
      // Throws what is refused too: an unknown customer, a wallet that is missing or postpaid.
      await client.wallets.topUp(
        { customer_id: payment.customerId, top_ups: [{ credit_currency_key: "ai_credits", credits }] },
        // The payment's own id. With a random key, or the event's id, a payment that is delivered twice would be
        // credited twice.
        { idempotencyKey: payment.id },
      );
    } catch (cause) {
      throw new NotCredited(payment, cause);
    }
    res.sendStatus(200);
  });

  return router;
}

/** A customer has paid and has no credits for it yet: somebody has to hear of it. */
export class NotCredited extends Error {
  override readonly name = "NotCredited" as const;

  constructor({ id, customerId }: Payment, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`payment ${JSON.stringify(id)} of ${JSON.stringify(customerId)} is not credited: ${why}`, {
      cause,
    });
  }
}
