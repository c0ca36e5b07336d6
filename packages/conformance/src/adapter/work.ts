import type { Charge } from "@creditgate/core";
import type { AdapterAnswer } from "./answer.ts";

/** Work that takes the whole wallet, and reports when it ends. */
export interface WorkKind {
  readonly body: "none" | "text" | "stream";
  /** What ends it before it is done. */
  readonly heeds: "signal" | "cancel" | "nothing";
}

/** What a piece of work needs of its surroundings. */
export interface WorkSurroundings {
  readonly credits: Charge;
  /** Waits until the contract lets it go on. */
  step(name: string, until?: AbortSignal): Promise<unknown>;
  /** The work has ended. */
  over(): void;
}

/** A piece of work of a handler on trial. */
export class TrialWork {
  readonly #kind: WorkKind;
  readonly #surroundings: WorkSurroundings;
  readonly #stopped = new AbortController();
  #isOver = false;

  constructor(kind: WorkKind, surroundings: WorkSurroundings) {
    this.#kind = kind;
    this.#surroundings = surroundings;
    if (kind.heeds !== "signal") return;
    const { signal } = surroundings.credits;
    if (signal.aborted) this.#stop();
    else signal.addEventListener("abort", () => this.#stop());
  }

  /** Does it before the answer, unless that is a stream, which does it as it goes on. */
  async answer(status: number, flood: AsyncIterable<string>): Promise<AdapterAnswer> {
    const { body, heeds } = this.#kind;
    const cancel = heeds === "cancel" ? () => this.#stop() : () => {};
    const answer = { status, pushes: heeds !== "cancel", onNode: "awaits" as const, disconnect: cancel };
    if (body === "stream") return { ...answer, body: this.#stream(flood) };
    await this.#surroundings.step("work", this.#stopped.signal);
    this.#end();
    return { ...answer, body: body === "text" ? "done" : null };
  }

  async *#stream(flood: AsyncIterable<string>): AsyncGenerator<string> {
    yield "first\n";
    yield* flood;
    await this.#surroundings.step("work", this.#stopped.signal).catch(() => {});
    this.#end();
    yield "last\n";
  }

  #stop(): void {
    this.#stopped.abort();
    this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#surroundings.credits.report({ model: "m" }, { credits: 1 });
    this.#surroundings.over();
    // Nothing else shows the end of work that goes on behind a cancelled stream.
    if (this.#kind.heeds === "nothing") this.#surroundings.credits.settle().catch(() => {});
  }
}
