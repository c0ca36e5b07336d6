import type { MeteredCall, MeteredCharge, MeteringOptions } from "@creditgate/ai";

type Report = Parameters<MeteredCharge["report"]>[0];

/** A charge that keeps what is reported. */
export class TestCharge implements MeteredCharge {
  readonly reports: Report[] = [];
  readonly calls: MeteredCall[] = [];
  readonly #client = new AbortController();
  readonly #closers = new Set<() => void>();
  #waiting: (() => void)[] = [];

  readonly options: MeteringOptions = { logger: false, onCall: (call) => this.calls.push(call) };

  get signal(): AbortSignal {
    return this.#client.signal;
  }

  get openCalls(): number {
    return this.#closers.size;
  }

  readonly report = (usage: Report): void => {
    this.reports.push(usage);
    for (const resolve of this.#waiting.splice(0)) resolve();
  };

  readonly beforeBill = (close: () => void): (() => void) => {
    this.#closers.add(close);
    return () => this.#closers.delete(close);
  };

  /** The customer leaves. */
  disconnect(): void {
    this.#client.abort();
  }

  settle(): void {
    for (const close of this.#closers) close();
  }

  /** The one report; resolves when it is there. */
  async reported(count = 1): Promise<Report> {
    while (this.reports.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.reports[count - 1] ?? {};
  }
}
