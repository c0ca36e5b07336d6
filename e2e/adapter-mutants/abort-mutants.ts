import { type Ending, gatedResponse, type Usage } from "@creditgate/core";
import { abortLines, leftLines, line } from "./contract-lines.ts";
import type { AdapterMutant } from "./mutant.ts";
import { changedCharge, ending, webAdapter } from "./web-adapter.ts";

/** Adapters that do the wrong thing when the client leaves. */
export const abortMutants: readonly AdapterMutant[] = [
  {
    name: "does not settle when the client leaves",
    start: webAdapter(() => ({
      admitted: (admission) =>
        ending(admission, async (how) => (how === "aborted" ? undefined : admission.end(how))),
    })),
    never: true,
    breaks: abortLines.filter((name) => name !== line.leftGrace && name !== line.leftSeen),
  },
  {
    name: "takes an abort for a success",
    start: takingAbortsFor("completed"),
    never: true,
    breaks: [
      line.abortDefault,
      line.abortNone,
      line.abortFunction,
      line.abortEarly,
      line.leftDeaf,
      line.leftAsked,
    ],
  },
  {
    name: "takes an abort for a failure",
    start: takingAbortsFor("failed"),
    never: true,
    breaks: [
      line.abortDefault,
      line.abortNone,
      line.abortFunction,
      line.abortEarly,
      line.leftDeaf,
      line.leftAsked,
      line.leftFlat,
    ],
  },
  {
    name: "bills whatever was reported, and does not look at onAbort",
    start: webAdapter(() => ({ options: ({ onAbort: _ignored, ...options }) => options })),
    never: true,
    breaks: [
      line.abortDefault,
      line.abortNone,
      line.abortFunction,
      line.abortEarly,
      line.leftDeaf,
      line.leftAsked,
    ],
  },
  {
    name: "bills nothing when the client leaves, whatever onAbort says",
    start: webAdapter(() => ({ options: (options) => ({ ...options, onAbort: "none" }) })),
    never: true,
    breaks: [
      line.abortReported,
      line.abortDefault,
      line.abortFunction,
      line.abortHold,
      line.abortEarly,
      line.leftDeaf,
      line.abortParting,
      line.leftAmid,
      line.leftHeld,
      line.leftAsked,
      line.leftFlat,
      line.leftOnce,
      line.leftGrace,
      line.leftSeen,
    ],
  },
  {
    name: "gives the hold back when the client leaves, and then settles",
    start: webAdapter(() => ({
      admitted: (admission) =>
        ending(admission, async (how) => {
          if (how === "aborted") admission.credits.release();
          await admission.end(how);
        }),
    })),
    never: true,
    breaks: [
      line.abortReported,
      line.abortDefault,
      line.abortFunction,
      line.abortHold,
      line.abortEarly,
      line.leftDeaf,
      line.abortParting,
      line.leftAmid,
      line.leftHeld,
      line.leftAsked,
      line.leftFlat,
      line.leftOnce,
      line.leftSeen,
    ],
  },
  {
    name: "settles an abort twice, on a charge of its own",
    start: webAdapter(() => ({
      admitted: (admission, { again }) =>
        ending(admission, async (how) => {
          const second = how === "aborted" ? await again() : undefined;
          if (second?.admitted) {
            for (const usage of admission.credits.reported) second.credits.report(usage);
            await second.end("completed");
          }
          await admission.end(how);
        }),
    })),
    breaks: [
      ...abortLines.filter((name) => name !== line.leftHeld && name !== line.leftOnce),
      line.abortDeciding,
    ],
  },
  {
    name: "does not listen to the signal of the request",
    start: webAdapter(() => ({
      life: ({ request, ...gated }, handle) => {
        const { signal } = new AbortController();
        return gatedResponse({ ...gated, request: new Request(request, { signal }) }, handle);
      },
    })),
    never: true,
    breaks: [
      line.abortEarly,
      line.abortDeciding,
      line.leftDeaf,
      line.leftSignal,
      line.leftHeld,
      line.leftAsked,
      line.leftFlat,
      line.leftOnce,
      line.leftAgain,
      line.leftSeen,
    ],
  },
  {
    name: "starts the handler of a client that has left",
    start: webAdapter(() => ({
      life: ({ request, ...gated }, handle) => {
        const client = new AbortController();
        const started = { ...gated, request: new Request(request, { signal: client.signal }) };
        return gatedResponse(started, (credits) => {
          request.signal.addEventListener("abort", () => client.abort());
          const response = handle(credits);
          if (request.signal.aborted) client.abort();
          return response;
        });
      },
    })),
    never: true,
    breaks: [line.abortDeciding],
  },
  {
    name: "settles an abort before it tells the stream",
    start: webAdapter(() => ({
      life: (gated, handle) =>
        gatedResponse(gated, async (credits) => {
          const admission = await gated.admission;
          gated.request.signal.addEventListener("abort", () => {
            if (admission.admitted) admission.end("aborted");
          });
          return handle(credits);
        }),
    })),
    never: true,
    breaks: [line.abortParting, line.leftHeld, line.leftAsked, line.leftOnce, line.leftSeen],
  },
  {
    name: "listens for the client's leaving once the handler has returned",
    start: webAdapter(() => ({
      life: ({ request, ...gated }, handle) => {
        const client = new AbortController();
        const begun = { ...gated, request: new Request(request, { signal: client.signal }) };
        return gatedResponse(begun, async (credits) => {
          const response = await handle(credits);
          request.signal.addEventListener("abort", () => client.abort());
          return response;
        });
      },
    })),
    never: true,
    breaks: [line.abortEarly, line.leftDeaf, line.abortDeciding],
  },
  {
    name: "gives the hold back at the abort",
    start: webAdapter(() => ({
      admitted: (admission) => ({
        ...admission,
        left(seen) {
          admission.credits.release();
          return admission.left(seen);
        },
      }),
    })),
    never: true,
    breaks: [
      line.abortReported,
      line.abortDefault,
      line.abortFunction,
      line.abortHold,
      line.abortEarly,
      line.abortParting,
      line.leftAmid,
      line.leftHeld,
      line.leftDeaf,
      line.leftAsked,
      line.leftFlat,
      line.leftOnce,
      line.leftGrace,
      line.leftSeen,
    ],
  },
  {
    name: "bills at the abort",
    start: webAdapter(() => ({
      admitted: (admission) => ({
        ...admission,
        left(seen) {
          const billed = admission.left(seen);
          admission.end("aborted");
          return billed;
        },
      }),
    })),
    never: true,
    breaks: [line.abortParting, line.leftHeld, line.leftAsked, line.leftOnce, line.leftSeen],
  },
  {
    name: "asks onAbort at the abort",
    start: webAdapter(() => ({
      admitted(admission, { options: { onAbort } }) {
        if (typeof onAbort !== "function") return admission;
        const { credits } = admission;
        let asked: readonly Usage[] | undefined;
        return {
          ...admission,
          left(seen) {
            asked ??= [onAbort(credits.reported) ?? {}];
            return admission.left(seen);
          },
          end: (how) => (how === "aborted" ? credits.settle(asked) : admission.end(how)),
        };
      },
    })),
    breaks: [line.leftAsked],
  },
  {
    name: "does not look at the handler's promise",
    start: webAdapter(() => ({
      admitted: (admission) => ({ ...admission, left: () => admission.left() }),
    })),
    breaks: [line.leftSeen],
  },
  {
    name: "waits for ever for an end that nothing shows",
    start: webAdapter(() => ({
      admitted: (admission) => ({
        ...admission,
        async left() {
          admission.credits.leave();
          await new Promise(() => {});
        },
      }),
    })),
    never: true,
    breaks: [line.leftGrace],
  },
  {
    name: "tells the handler nothing when its client leaves",
    start: webAdapter(() => ({
      admitted: (admission) => {
        const { signal } = new AbortController();
        return { ...admission, credits: changedCharge(admission.credits, { signal }) };
      },
    })),
    never: true,
    breaks: [...leftLines.filter((name) => name !== line.leftGrace)],
  },
  {
    name: "does not ask whether the cancellation of the body has ended",
    start: webAdapter(() => ({
      life: (gated, handle) =>
        gatedResponse(gated, async (credits) => {
          const response = await handle(credits);
          const admission = await gated.admission;
          if (response.body === null || !admission.admitted) return response;
          credits.signal.addEventListener("abort", () => admission.end("aborted"));
          return response;
        }),
    })),
    never: true,
    breaks: [line.abortParting],
  },
  {
    name: "bills nothing for a client that leaves where nothing was reported",
    start: webAdapter(() => ({
      options: (options) => ({ onAbort: ([first]) => first, ...options }),
    })),
    never: true,
    breaks: [line.leftFlat],
  },
  {
    name: "bills defaultUsage for every client that leaves",
    start: webAdapter(() => ({
      options: (options) => (options.defaultUsage ? { onAbort: "default", ...options } : options),
    })),
    never: true,
    breaks: [line.leftFlat],
  },
];

function takingAbortsFor(instead: Ending): AdapterMutant["start"] {
  return webAdapter(() => ({
    admitted: (admission) => ending(admission, (how) => admission.end(how === "aborted" ? instead : how)),
  }));
}
