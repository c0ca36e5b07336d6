import { type Charge, type Gate, gatedResponse } from "@creditgate/core";
import { billLines, line, settlementLines } from "./contract-lines.ts";
import type { AdapterMutant } from "./mutant.ts";
import {
  type Admitted,
  changedCharge,
  ending,
  type Handle,
  type WebParts,
  webAdapter,
} from "./web-adapter.ts";

type Life = WebParts["life"];
type End = Admitted["end"];

const never = async () => {};

/** The life as it is, of a handler that is another and may end the work itself. */
function handling(change: (handle: Handle, end: End) => Handle): Life {
  return (gated, handle) => {
    const end: End = async (how) => {
      const admission = await gated.admission;
      if (admission.admitted) await admission.end(how);
    };
    return gatedResponse(gated, change(handle, end));
  };
}

/** The life as it is, that does not end the work of a handler of which this is so. */
function forgetting(handled: (outcome: Promise<Response>) => Promise<boolean>): Life {
  return (gated, handle) => {
    let forgotten = false;
    const admission = gated.admission.then((deciding) =>
      deciding.admitted
        ? ending(deciding, async (how) => (forgotten ? never() : deciding.end(how)))
        : deciding,
    );
    return gatedResponse({ ...gated, admission }, async (credits) => {
      const response = (async () => handle(credits))();
      forgotten = await handled(response);
      return response;
    });
  };
}

/** Adapters that bill the wrong thing, or at the wrong time, or not at all. */
export const settlingMutants: readonly AdapterMutant[] = [
  {
    name: "settles when the handler returns",
    start: webAdapter(() => ({
      life: handling((handle, end) => async (credits) => {
        const response = await handle(credits);
        await end(response.status < 400 ? "completed" : "failed");
        return response;
      }),
    })),
    never: true,
    breaks: [
      line.holdsStream,
      line.abortNone,
      line.abortFunction,
      line.leftDeaf,
      line.abortParting,
      line.leftAsked,
    ],
  },
  {
    name: "settles when the handler is called",
    start: webAdapter(() => ({
      life: handling((handle, end) => async (credits) => {
        await end("completed");
        return handle(credits);
      }),
    })),
    never: true,
    breaks: [
      line.defaultUsage,
      line.handlerThrows,
      line.failure,
      line.late,
      line.many,
      line.holdsStream,
      line.abortNone,
      line.abortFunction,
      line.abortParting,
      line.methodsBilled,
      line.leftHeld,
      line.leftAsked,
      line.leftFlat,
      line.leftOnce,
      line.leftAgain,
      line.leftSeen,
    ],
  },
  {
    name: "never settles",
    start: webAdapter(() => ({ admitted: (admission) => ending(admission, never) })),
    never: true,
    // The gate itself ends what is left behind for longer than its grace.
    breaks: settlementLines.filter((name) => name !== line.leftGrace && name !== line.leftSeen),
  },
  {
    name: "gives the hold back, and then settles",
    start: webAdapter(() => ({
      admitted: (admission) =>
        ending(admission, async (how) => {
          admission.credits.release();
          await admission.end(how);
        }),
    })),
    never: true,
    breaks: billLines.filter((name) => name !== line.leftGrace),
  },
  {
    name: "takes a failure for a success",
    start: webAdapter(() => ({
      admitted: (admission) =>
        ending(admission, (how) => admission.end(how === "failed" ? "completed" : how)),
    })),
    breaks: [line.handlerThrows, line.failure],
  },
  {
    name: "takes a redirect for a failure",
    start: webAdapter(() => ({
      life: handling((handle, end) => async (credits) => {
        const response = await handle(credits);
        if (response.status >= 300) await end("failed");
        return response;
      }),
    })),
    never: true,
    breaks: [line.success],
  },
  {
    name: "bills defaultUsage beside what was reported",
    start: webAdapter(() => ({
      admitted: (admission, { options: { defaultUsage } }) =>
        ending(admission, async (how) => {
          if (how === "completed" && defaultUsage !== undefined) admission.credits.report(defaultUsage);
          await admission.end(how);
        }),
    })),
    breaks: [line.defaultUsage],
  },
  {
    name: "forgets defaultUsage",
    start: webAdapter(() => ({
      options: ({ defaultUsage: _forgotten, onAbort, ...options }) => ({
        ...options,
        ...(onAbort !== undefined && onAbort !== "default" && { onAbort }),
      }),
    })),
    never: true,
    breaks: [
      line.defaultUsage,
      line.success,
      line.abortDefault,
      line.abortEarly,
      line.leftDeaf,
      line.leftFlat,
    ],
  },
  {
    name: "bills the request itself where nothing was reported",
    start: webAdapter(() => ({
      admitted: (admission) =>
        ending(admission, async (how) => {
          if (admission.credits.reported.length === 0) admission.credits.report({ model: "request" });
          await admission.end(how);
        }),
    })),
    breaks: [
      line.nothing,
      line.defaultUsage,
      line.success,
      line.headers,
      line.handlerThrows,
      line.failure,
      line.abortReported,
      line.abortFunction,
      line.abortDeciding,
      line.leftSignal,
      line.leftFlat,
      line.leftAgain,
    ],
  },
  {
    name: "bills the last report only",
    start: webAdapter(() => ({
      admitted: (admission) => {
        const { credits } = admission;
        let last = () => {};
        const report: Charge["report"] = (...usage) => {
          last = () => credits.report(...usage);
          if (!credits.open) last();
        };
        return {
          ...ending(admission, async (how) => {
            last();
            await admission.end(how);
          }),
          credits: changedCharge(credits, { report }),
        };
      },
    })),
    never: true,
    breaks: [
      line.several,
      line.firstChunk,
      line.holdsStream,
      line.apart,
      line.abortReported,
      line.abortFunction,
      line.abortParting,
    ],
  },
  {
    name: "drops late reports",
    start: webAdapter(() => ({
      admitted: (admission) => {
        const { credits } = admission;
        const report: Charge["report"] = (...usage) => {
          if (credits.open) credits.report(...usage);
        };
        return { ...admission, credits: changedCharge(credits, { report }) };
      },
    })),
    never: true,
    breaks: [line.late],
  },
  {
    name: "does not settle what has no body",
    start: webAdapter(() => ({ life: forgetting(async (handled) => (await handled).body === null) })),
    never: true,
    breaks: [line.headers, line.noBody],
  },
  {
    name: "does not settle when the handler throws",
    start: webAdapter(() => ({
      life: forgetting((handled) =>
        handled.then(
          () => false,
          () => true,
        ),
      ),
    })),
    never: true,
    breaks: [line.handlerThrows, line.abortEarly, line.leftSignal, line.leftFlat, line.leftAgain],
  },
  {
    name: "waits for the end of a body that an answer to HEAD does not have",
    start: webAdapter(() => ({
      life: ({ request, ...gated }, handle) =>
        gatedResponse({ ...gated, request: new Request(request, { method: "POST" }) }, handle),
    })),
    never: true,
    breaks: [line.head, line.methodsBilled],
  },
  {
    name: "does not bill HEAD",
    start: webAdapter(() => ({
      admitted: (admission, { request }) =>
        request.method === "HEAD" ? ending(admission, async () => admission.credits.release()) : admission,
    })),
    never: true,
    breaks: [line.head, line.methodsBilled],
  },
  {
    name: "stands before the handler twice",
    start: webAdapter(() => ({
      async admitted(admission, { again }) {
        const second = await again();
        if (!second.admitted) return second;
        return ending(admission, async (how) => {
          await second.end(how);
          await admission.end(how);
        });
      },
    })),
    breaks: [...settlementLines, line.abortDeciding],
  },
  {
    name: "keeps the charge where all requests find it",
    start: webAdapter(() => {
      let shared: Charge | undefined;
      return {
        admitted(admission) {
          shared = admission.credits;
          const report: Charge["report"] = (...usage) => shared?.report(...usage);
          return { ...admission, credits: changedCharge(admission.credits, { report }) };
        },
      };
    }),
    never: true,
    breaks: [line.apart],
  },
  {
    name: "answers when the usage has been delivered",
    start: webAdapter(() => {
      const gates = new Set<Gate>();
      return {
        gate(gate) {
          gates.add(gate);
          return gate;
        },
        life: handling((handle, end) => async (credits) => {
          const response = await handle(credits);
          if (response.headers.get("content-type") === "text/plain") return response;
          await end(response.status < 400 ? "completed" : "failed");
          for (const gate of gates) await gate.flush();
          return response;
        }),
      };
    }),
    never: true,
    breaks: [line.prompt, line.leftDeaf, line.leftAsked],
  },
];
