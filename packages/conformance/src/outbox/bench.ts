import type { Awaitable, Outbox, OutboxReport, OutboxStatus } from "@creditgate/core";
import type { Recovery } from "@creditgate/core/adapter";
import { same } from "../ledger/bench.ts";

/** An outbox on trial, and power over its process. */
export interface OutboxOnTrial {
  readonly outbox: Outbox;
  /** The undelivered reports that make it full; at least 3. */
  readonly maxReports: number;
  /** For one with `recover`: the outbox as the process after a crash finds it. */
  crash?(): Awaitable<Outbox>;
  /** For one with `recover`: lets its clock go on by this many milliseconds. */
  advance?(ms: number): Awaitable<void>;
  /** Ends what has been opened. */
  close?(): Awaitable<void>;
}

/** An outbox, and short ways to deal with it. */
export class OutboxBench {
  readonly trial: OutboxOnTrial;
  outbox: Outbox;

  constructor(trial: OutboxOnTrial) {
    this.trial = trial;
    this.outbox = trial.outbox;
  }

  /** Appends and releases reports with these ids, one after the other. */
  async append(...ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.appendTogether([reportNamed(id)]);
  }

  async appendTogether(reports: readonly OutboxReport[]): Promise<void> {
    await this.outbox.append(reports);
    this.outbox.release(reports);
  }

  /** `id` is among the reports that the outbox hands out in a few small requests. */
  async expectSoon(id: string): Promise<void> {
    const found: string[] = [];
    for (let request = 0; request < 6; request++) found.push(...(await this.next(2)).split(" "));
    same(`${id} is handed out soon`, found.includes(id), true);
  }

  async delivered(...ids: readonly string[]): Promise<void> {
    await this.outbox.delivered(ids.map(reportNamed), 1_000, []);
  }

  async requeue(...ids: readonly string[]): Promise<void> {
    await this.outbox.requeue(ids.map(reportNamed));
  }

  async park(id: string): Promise<void> {
    await this.outbox.park(reportNamed(id), "reset");
  }

  async bury(id: string): Promise<void> {
    await this.outbox.bury(reportNamed(id), "422");
  }

  /** Notes that the reports with these ids are about to be sent. */
  async sending(...ids: readonly string[]): Promise<void> {
    if (this.outbox.sendings === undefined) throw new Error("a lasting outbox needs `sendings`");
    await this.outbox.sendings.begin(ids);
  }

  /** The ids of all that waits, or of the first `limit`, which are handed out. */
  async next(limit = 10_000): Promise<string> {
    return idsOf(await this.outbox.next(limit));
  }

  /** Exactly these wait, in this order; now they are handed out. */
  async expectNext(...ids: readonly string[]): Promise<void> {
    same("what is handed out", await this.next(), ids.join(" "));
  }

  async expectStatus(expected: Partial<OutboxStatus>): Promise<void> {
    const none: OutboxStatus = { queued: 0, parked: 0, dead: 0 };
    const { queued, parked, dead } = await this.outbox.status();
    same("the status", JSON.stringify({ queued, parked, dead }), JSON.stringify({ ...none, ...expected }));
  }

  /** The process dies, and another one begins. */
  async crash(): Promise<void> {
    if (this.trial.crash === undefined)
      throw new Error("an outbox with recover() needs crash() on its trial");
    this.outbox = await this.trial.crash();
  }

  async recovered(rememberMs = 1_000): Promise<Recovery> {
    const recovery = await this.outbox.recover?.(rememberMs);
    if (recovery === undefined) throw new Error("recover() gave nothing");
    return recovery;
  }
}

/** A report with all that a report can have, strange names among it. */
export function reportNamed(id: string): OutboxReport {
  return {
    id,
    customerId: `customer of ${id} — __proto__ '";`,
    agentId: "constructor",
    indicator: "müssäge 💶",
    rawUsage: {
      provider: "openai",
      model: `model of ${id}`,
      plan: "pro",
      inputTokens: 0,
      outputTokens: 9e15,
    },
    currency: "__proto__",
    entry: { id: `entry of ${id}`, amount: Number.MAX_SAFE_INTEGER },
  };
}

/** Many reports that have one of three names in common, and as the last one a report that has none of its names from them. */
export function manyOfOne(name: "customerId" | "agentId" | "indicator"): readonly OutboxReport[] {
  const many = Array.from({ length: 1_500 }, (_, at) => namedReport(`r${at}`, { [name]: "of many" }));
  return [...many, namedReport("other")];
}

function namedReport(id: string, names: Partial<OutboxReport> = {}): OutboxReport {
  return { ...reportNamed(id), agentId: `agent of ${id}`, indicator: `indicator of ${id}`, ...names };
}

export function idsOf(reports: readonly { readonly id: string }[]): string {
  return reports.map(({ id }) => id).join(" ");
}

/** What outboxes must do, each by its name. */
export type OutboxBehaviours = Readonly<Record<string, (bench: OutboxBench) => Promise<void>>>;
