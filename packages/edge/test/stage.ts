import type { Charge, CreditsOptions, Gate, GateOptions } from "@creditgate/core";
import { createTestGate, type TestGate } from "@creditgate/core/testing";
import { withCredits } from "@creditgate/edge";

/** What the gate knows and has billed when all that can run has run. */
interface Outcome {
  readonly settlements: number;
  readonly held: number;
  /** The models of the reports. */
  readonly billed: readonly unknown[];
}

/** A gate on a service in memory, where alice has some prepaid credits and no other customer has any. */
export interface Stage {
  readonly gate: Gate;
  readonly clock: TestGate["clock"];
  readonly emitted: TestGate["emitted"];
  readonly outcome: () => Promise<Outcome>;
  /** The handler behind `withCredits`, for requests of alice's that hold 5. */
  readonly gated: (
    handler: (request: Request, credits: Charge) => Response | Promise<Response>,
    options?: Partial<CreditsOptions<Request>>,
  ) => (request?: Request) => Promise<Response>;
}

export const paid = { customer: "alice", agentId: "chat", indicator: "message", hold: 5 } as const;

export function createStage(credits = 100, options: Partial<GateOptions> = {}): Stage {
  const { gate, clock, emitted, outcome } = createTestGate({ alice: credits }, options);
  return {
    gate,
    clock,
    emitted,
    async outcome() {
      const { billed, ...rest } = await outcome("alice");
      return { ...rest, billed: billed.map(({ model }) => model) };
    },
    gated(handler, changes = {}) {
      const handle = withCredits(gate, { ...paid, ...changes }, (request, { credits }) =>
        handler(request, credits),
      );
      return (request = new Request("https://app.example/chat")) => handle(request);
    },
  };
}

/** A promise that the test resolves. */
export function signal(): { readonly promise: Promise<void>; give(): void } {
  let give = () => {};
  const promise = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { promise, give: () => give() };
}

/** A stream that takes each chunk when it is read, and ends the iteration when it is cancelled. */
export function streamOf(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): ReadableStream<Uint8Array> {
  const iterator =
    Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
