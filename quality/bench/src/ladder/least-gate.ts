import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Usage } from "@creditgate/core";
import type { Request, RequestHandler, Response } from "express";

export interface LeastReport {
  /** The same in each attempt. */
  readonly key: string;
  readonly customerId: string;
  readonly usage: Usage;
}

export interface LeastOptions {
  /** Reports that are delivered at once; more than one gather for 10 ms. */
  readonly batchLimit: number;
  customerOf(request: Request): string;
  /** The customer's credits, less those of all reports that the service has accepted. */
  balance(customerId: string): Promise<number>;
  /** Resolves when the service has accepted all of them, else rejects. */
  deliver(reports: readonly LeastReport[]): Promise<unknown>;
}

interface Wallet {
  readonly customerId: string;
  available: number;
  readAt: number;
  reading: Promise<void> | undefined;
  held: number;
  /** Usage that `available` may not include, and the part of it that the service has accepted. */
  spent: number;
  accepted: number;
}

const hold = 1;
const freshMs = 5_000;
const gatherMs = 10;
const retryMs = 1_000;

/**
 * The least that admits only who can pay and bills each request once: a cached balance, a hold, and a report that is sent
 * until it is accepted. No events, no limits, no shutdown.
 */
export class LeastGate {
  readonly #options: LeastOptions;
  readonly #wallets = new Map<string, Wallet>();
  readonly #queue: LeastReport[] = [];
  readonly #name = randomUUID();
  #works = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Reports that the service has not accepted yet. */
  undelivered = 0;

  constructor(options: LeastOptions) {
    this.#options = options;
  }

  guard(work: (request: Request, response: Response, charge: LeastCharge) => void): RequestHandler {
    return (request, response, next) => {
      const wallet = this.#walletOf(this.#options.customerOf(request));
      const run = (): void => {
        if (response.closed) return;
        if (wallet.available - wallet.held - wallet.spent < hold) return void response.sendStatus(402);
        wallet.held += hold;
        const charge = new LeastCharge();
        response.once("finish", () => this.#settle(wallet, charge));
        response.once("close", () => {
          if (!charge.settled) charge.abort?.abort();
          this.#settle(wallet, charge);
        });
        work(request, response, charge);
      };
      if (performance.now() - wallet.readAt < freshMs) return run();
      wallet.reading ??= this.#read(wallet);
      wallet.reading.then(run).catch(next);
    };
  }

  #walletOf(customerId: string): Wallet {
    let wallet = this.#wallets.get(customerId);
    if (wallet === undefined) {
      const readAt = Number.NEGATIVE_INFINITY;
      wallet = { customerId, available: 0, readAt, reading: undefined, held: 0, spent: 0, accepted: 0 };
      this.#wallets.set(customerId, wallet);
    }
    return wallet;
  }

  async #read(wallet: Wallet): Promise<void> {
    // What is accepted from here on may be missing in the balance.
    const [readAt, accepted] = [performance.now(), wallet.accepted];
    try {
      wallet.available = await this.#options.balance(wallet.customerId);
      wallet.readAt = readAt;
      wallet.spent -= accepted;
      wallet.accepted -= accepted;
    } finally {
      wallet.reading = undefined;
    }
  }

  #settle(wallet: Wallet, charge: LeastCharge): void {
    if (charge.settled) return;
    charge.settled = true;
    wallet.held -= hold;
    const { usage } = charge;
    if (usage === undefined) return;
    wallet.spent += hold;
    this.undelivered += 1;
    this.#queue.push({ key: `${this.#name}:${this.#works++}`, customerId: wallet.customerId, usage });
    if (this.#options.batchLimit === 1) void this.#deliver();
    else this.#timer ??= setTimeout(() => this.#drain(), gatherMs);
  }

  async #drain(): Promise<void> {
    await this.#deliver();
    this.#timer = this.#queue.length > 0 ? setTimeout(() => this.#drain(), gatherMs) : undefined;
  }

  async #deliver(): Promise<void> {
    const reports = this.#queue.splice(0, this.#options.batchLimit);
    const attempt = () => this.#options.deliver(reports);
    const isAccepted = () =>
      attempt().then(
        () => true,
        () => false,
      );
    while (!(await isAccepted())) await sleep(retryMs);
    for (const { customerId } of reports) this.#walletOf(customerId).accepted += hold;
    this.undelivered -= reports.length;
  }
}

/** The work of one request. */
export class LeastCharge {
  usage: Usage | undefined;
  settled = false;
  abort: AbortController | undefined;

  /** Aborts if the client disconnects. */
  get signal(): AbortSignal {
    this.abort ??= new AbortController();
    return this.abort.signal;
  }

  report(usage: Usage): void {
    this.usage = usage;
  }
}
