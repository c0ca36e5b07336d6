import { setTimeout as delay } from "node:timers/promises";
import type { Client, WalletBalance } from "@creditgate/client";
import { capacitiesOf } from "@creditgate/core/adapter";
import { longestAnswer } from "../longest-answer.ts";
import { price } from "../price.ts";
import { toMicro } from "./credits.ts";

/** What a visitor got for a question. */
export type Reply =
  | { readonly status: "served" }
  | { readonly status: "stopped" }
  | { readonly status: "denied" }
  | { readonly status: "failed"; readonly reason: string };

export interface VisitorOptions {
  readonly id: string;
  /** The customer's id at the control plane. */
  readonly customerId: string;
  readonly kind: "prepaid" | "postpaid";
  /** The processes of the chat, which it asks in turn. */
  readonly chatUrls: readonly string[];
  readonly client: Client;
  readonly signal: AbortSignal;
}

export interface AskOptions {
  /** Disconnects after this number of words. */
  readonly stopAfter?: number;
}

const currency = "ai_credits";
const answerWithinMs = 30_000;
/** A busy machine answers 503 for some seconds. */
const attempts = 15;
const mostAnAnswerCosts = toMicro(price({ outputTokens: longestAnswer }));

/**
 * A customer of a chat. It counts what it asked and what it received; what the
 * control plane returns about its wallet is kept apart. Amounts are micro-credits.
 */
export class Visitor {
  readonly id: string;
  readonly kind: "prepaid" | "postpaid";
  readonly token: string;
  served = 0;
  stopped = 0;
  denied = 0;
  failed = 0;
  /** Denied although the wallet could have paid. */
  deniedWrongly = 0;
  words = 0;
  /** What may have been generated, and billed, after the visitor disconnected. */
  unread = 0;
  /** What the wallet could pay at the beginning, and what came in since. */
  funds = 0;
  /** The end of the answer that is coming in. */
  incoming = "";
  /** The last balance that the control plane returned. */
  balance: WalletBalance | undefined;
  /** The process that it has asked last. */
  lastAsked = "";
  #turn = 0;
  #underway = 0;
  #asked = 0;
  readonly #options: VisitorOptions;

  constructor(options: VisitorOptions) {
    this.id = options.id;
    this.kind = options.kind;
    this.token = `demo-${options.id}`;
    this.#options = options;
  }

  /** What all the answers were worth: the words that came in, at the price of a token. */
  get worth(): number {
    return toMicro(price({ outputTokens: this.words }));
  }

  /** What the wallet can still pay, according to the control plane. */
  get left(): number {
    return this.balance === undefined ? 0 : Number(capacitiesOf(this.balance)[this.kind]);
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
    const { client, customerId, signal } = this.#options;
    const { balances } = await client.wallets.balance(customerId, { signal });
    const balance = balances[currency];
    if (balance === undefined) throw new Error(`${customerId}: expected a wallet in ${currency}`);
    this.balance = balance;
  }

  /**
   * Resolves when the gate holds nothing for this customer any more: its work is stored. Until then a crash loses
   * it, unless the gate has `durableHolds`.
   */
  async workSettled(): Promise<void> {
    const { signal } = this.#options;
    const chatUrl = this.lastAsked;
    const headers = { authorization: `Bearer ${this.token}` };
    for (;;) {
      const response = await fetch(`${chatUrl}/balance`, { headers, signal });
      const { held } = (await response.json()) as { readonly held: number };
      if (held === 0) return;
      await delay(20, undefined, { signal });
    }
  }

  /** Pays in advance. */
  async topUp(credits: number): Promise<void> {
    const { client, customerId, signal } = this.#options;
    const top_ups = [{ credit_currency_key: currency, credits }];
    await client.wallets.topUp(
      { customer_id: customerId, top_ups },
      { signal, idempotencyKey: crypto.randomUUID() },
    );
    this.funds += toMicro(credits);
  }

  /** Requests an answer of this number of words, and reads it. Retries a 503 after its Retry-After. */
  async ask(words: number, options: AskOptions = {}): Promise<Reply> {
    const canPay = this.#underway === 0 && this.funds - this.worth - this.unread >= mostAnAnswerCosts;
    this.#underway += 1;
    this.#asked += 1;
    const asked = this.#asked;
    const reply = await this.#ask(words, options, attempts);
    this.#underway -= 1;
    this.incoming = "";
    this[reply.status] += 1;
    // With several questions in flight it is not known which of them the wallet could have paid for.
    const wasAlone = asked === this.#asked;
    if (reply.status === "denied" && canPay && wasAlone) this.deniedWrongly += 1;
    return reply;
  }

  async #ask(words: number, options: AskOptions, attemptsLeft: number): Promise<Reply> {
    const { signal } = this.#options;
    const chatUrl = this.#nextProcess();
    const leaving = new AbortController();
    try {
      const response = await fetch(`${chatUrl}/chat`, {
        method: "POST",
        headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
        body: JSON.stringify({ message: `What is a credit, in ${words} words?` }),
        signal: AbortSignal.any([signal, leaving.signal, AbortSignal.timeout(answerWithinMs)]),
      });
      if (response.status === 200) {
        const received = await this.#read(response, options.stopAfter);
        if (options.stopAfter === undefined) return { status: "served" };
        this.unread += toMicro(price({ outputTokens: words - received }));
        leaving.abort();
        return { status: "stopped" };
      }
      const text = await response.text();
      if (response.status === 402) return { status: "denied" };
      if (response.status !== 503 || attemptsLeft <= 1)
        return { status: "failed", reason: `${response.status} ${text}` };
      await delay(1_000 * Number(response.headers.get("retry-after") ?? 1), undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      return { status: "failed", reason: String(error) };
    }
    return this.#ask(words, options, attemptsLeft - 1);
  }

  #nextProcess(): string {
    const { chatUrls } = this.#options;
    this.lastAsked = chatUrls[this.#turn++ % chatUrls.length] ?? "";
    return this.lastAsked;
  }

  /** Counts the words that arrive, even if the answer breaks off, and returns their number. */
  async #read(response: Response, stopAfter = Number.POSITIVE_INFINITY): Promise<number> {
    const decoder = new TextDecoder();
    let text = "";
    const received = () => text.split(/\s+/).filter((word) => word !== "").length;
    try {
      for await (const bytes of response.body ?? []) {
        text += decoder.decode(bytes, { stream: true });
        this.incoming = text.slice(-200).replaceAll("\n", " ");
        if (received() >= stopAfter) break;
      }
    } finally {
      this.words += received();
    }
    return received();
  }
}
