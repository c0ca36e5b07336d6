import { setTimeout as delay } from "node:timers/promises";
import type { Client, WalletBalance } from "@creditgate/client";
import { price } from "../price.ts";
import { toMicro } from "./credits.ts";

/** What a visitor got for a question. */
export type Reply =
  | { readonly status: "served" }
  | { readonly status: "denied"; readonly required: number; readonly available: number }
  | { readonly status: "failed"; readonly reason: string };

/** The wallet as the gate sees it, in credits. */
export interface Standing {
  readonly held: number;
  readonly unconfirmed: number;
}

export interface VisitorOptions {
  readonly id: string;
  readonly kind: "prepaid" | "postpaid";
  readonly token: string;
  readonly chatUrl: string;
  readonly client: Client;
  readonly signal: AbortSignal;
}

const currency = "ai_credits";
const answerWithinMs = 30_000;
const attempts = 5;

/**
 * A customer of the chat. It keeps its own books, from nothing but what it has asked and what it was answered; what the
 * control plane says about its wallet is kept apart from that. Amounts are micro-credits.
 */
export class Visitor {
  readonly id: string;
  readonly kind: "prepaid" | "postpaid";
  readonly token: string;
  requests = 0;
  served = 0;
  denied = 0;
  failed = 0;
  words = 0;
  /** What the wallet could pay at the beginning, and what came in since. */
  funds = 0;
  /** The end of the answer that is coming in. */
  hearing = "";
  /** The wallet, as the control plane said last. */
  balance: WalletBalance | undefined;
  standing: Standing | undefined;
  readonly #options: VisitorOptions;

  constructor(options: VisitorOptions) {
    const { id, kind, token } = options;
    this.id = id;
    this.kind = kind;
    this.token = token;
    this.#options = options;
  }

  /** What all the answers were worth: the words that came in, at the price of a token. */
  get worth(): number {
    return toMicro(price({ outputTokens: this.words }));
  }

  /** What the wallet can still pay, according to the control plane. */
  get left(): number {
    if (this.balance === undefined) return 0;
    const { available, overage_limit, overage_used, postpaid_limit, postpaid_used } = this.balance;
    if (this.kind === "postpaid") return toMicro(postpaid_limit) - toMicro(postpaid_used);
    return toMicro(available) + toMicro(overage_limit) - toMicro(overage_used);
  }

  /** What the wallet has paid, according to the control plane. */
  get billed(): number {
    return this.funds - this.left;
  }

  /** Reads the wallet for the first time. */
  async arrive(): Promise<void> {
    await this.readBalance();
    this.funds = this.left;
  }

  async readBalance(): Promise<void> {
    const { client, signal } = this.#options;
    const { balances } = await client.wallets.balance(this.id, { signal });
    const balance = balances[currency];
    if (balance === undefined) throw new Error(`${this.id}: expected a wallet in ${currency}, received none`);
    this.balance = balance;
  }

  async readStanding(): Promise<void> {
    const response = await fetch(`${this.#options.chatUrl}/balance`, {
      headers: { authorization: `Bearer ${this.token}` },
      signal: this.#within(2_000),
    });
    this.standing = (await response.json()) as Standing;
  }

  /** Pays in advance. */
  async topUp(credits: number): Promise<void> {
    const { client, signal } = this.#options;
    const top_ups = [{ credit_currency_key: currency, credits }];
    const { message, results } = await client.wallets.topUp({ customer_id: this.id, top_ups }, { signal });
    if (!results.every(({ success }) => success))
      throw new Error(`${this.id}: the top-up failed: ${message}`);
    this.funds += toMicro(credits);
  }

  /** Asks, and listens to the end. "Cannot tell" (503) is asked again, as its Retry-After says. */
  async ask(message: string): Promise<Reply> {
    this.requests += 1;
    const reply = await this.#ask(message, attempts);
    this.hearing = "";
    this[reply.status] += 1;
    return reply;
  }

  async #ask(message: string, attemptsLeft: number): Promise<Reply> {
    const { chatUrl, signal } = this.#options;
    try {
      const response = await fetch(`${chatUrl}/chat`, {
        method: "POST",
        headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
        body: JSON.stringify({ message }),
        signal: this.#within(answerWithinMs),
      });
      if (response.status === 200) {
        await this.#listen(response);
        return { status: "served" };
      }
      if (response.status === 402) {
        const { required, available } = (await response.json()) as { required: number; available: number };
        return { status: "denied", required: toMicro(required), available: toMicro(available) };
      }
      const reason = `${response.status} ${await response.text()}`;
      if (response.status !== 503 || attemptsLeft <= 1) return { status: "failed", reason };
      await delay(1_000 * Number(response.headers.get("retry-after") ?? 1), undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      return { status: "failed", reason: String(error) };
    }
    return this.#ask(message, attemptsLeft - 1);
  }

  /** Counts the words that have come in, also where the answer breaks off. */
  async #listen(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    let text = "";
    try {
      for await (const bytes of response.body ?? []) {
        text += decoder.decode(bytes, { stream: true });
        this.hearing = text.slice(-200).replaceAll("\n", " ");
      }
    } finally {
      this.words += text.split(/\s+/).filter((word) => word !== "").length;
    }
  }

  #within(ms: number): AbortSignal {
    return AbortSignal.any([this.#options.signal, AbortSignal.timeout(ms)]);
  }
}
