import { createHmac, timingSafeEqual } from "node:crypto";

/** A payment that has come in. */
export interface Payment {
  /** The same for each event of the payment, and each delivery of it. */
  readonly id: string;
  readonly customerId: string;
  /** Minor units of money, as cents. */
  readonly amount: number;
}

/** What was received is not signed by the payment provider, or too old to be taken for new. */
export class BadSignature extends Error {
  override readonly name = "BadSignature" as const;
  readonly status = 400;
}

const toleranceSeconds = 300;

/**
 * Throws `BadSignature` unless the provider has signed these bytes: Stripe's scheme, `t=<seconds>,v1=<hex of HMAC-SHA-256>`.
 * By hand, so that the demo needs no package of theirs: `examples/stripe-webhook` has it with `stripe.webhooks.constructEvent`, and refunds.
 */
export function verifySignature(secret: string, signature: string, body: Buffer, nowMs: number): void {
  const fields = signature.split(",").map((field) => field.trim().split("=", 2));
  const at = fields.find(([name]) => name === "t")?.[1] ?? "";
  const age = Math.abs(nowMs / 1000 - Number(at));
  if (!/^\d{1,12}$/.test(at) || age > toleranceSeconds)
    throw new BadSignature("stripe-signature: expected a time within five minutes");
  const expected = createHmac("sha256", secret).update(`${at}.`).update(body).digest();
  const matches = fields.some(([name, hex = ""]) => {
    const received = name === "v1" ? Buffer.from(hex, "hex") : Buffer.alloc(0);
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
  if (!matches) throw new BadSignature("stripe-signature: expected the provider's, received another");
}

interface WireEvent {
  readonly type?: unknown;
  readonly data?: {
    readonly object?: {
      readonly id?: unknown;
      readonly payment_status?: unknown;
      readonly client_reference_id?: unknown;
      readonly amount_total?: unknown;
    };
  };
}

/** A card is paid with the first, a bank transfer with the second; some payments send both. */
const paying = ["checkout.session.completed", "checkout.session.async_payment_succeeded"];

/** The payment of a verified event, or `undefined` for other events. Throws if a payment lacks a field. */
export function paymentOf(body: Buffer): Payment | undefined {
  const { type, data } = JSON.parse(body.toString("utf8")) as WireEvent;
  const session = data?.object;
  if (!paying.some((name) => name === type) || session?.payment_status !== "paid") return undefined;
  const { id, client_reference_id: customerId, amount_total: amount } = session;
  if (typeof id === "string" && typeof customerId === "string" && typeof amount === "number" && amount > 0)
    return { id, customerId, amount };
  throw new Error(
    "payment event: expected id, client_reference_id and amount_total, received one without them",
  );
}
