import { type Ending, gatedResponse } from "@creditgate/core";
import { abortLines, line } from "./contract-lines.ts";
import type { AdapterMutant } from "./mutant.ts";
import { webAdapter } from "./web-adapter.ts";

/** Adapters that do the wrong thing when the client leaves. */
export const abortMutants: readonly AdapterMutant[] = [
  {
    name: "does not settle when the client leaves",
    start: webAdapter(() => ({
      admitted: (admission) => ({
        ...admission,
        end: async (how) => (how === "aborted" ? undefined : admission.end(how)),
      }),
    })),
    never: true,
    breaks: [...abortLines],
  },
  {
    name: "takes an abort for a success",
    start: takingAbortsFor("completed"),
    never: true,
    breaks: [line.abortDefault, line.abortNone, line.abortFunction, line.abortEarly, line.abortDeaf],
  },
  {
    name: "takes an abort for a failure",
    start: takingAbortsFor("failed"),
    never: true,
    breaks: [line.abortDefault, line.abortNone, line.abortFunction, line.abortEarly, line.abortDeaf],
  },
  {
    name: "bills whatever was reported, and does not look at onAbort",
    start: webAdapter(() => ({ options: ({ onAbort: _ignored, ...options }) => options })),
    never: true,
    breaks: [line.abortDefault, line.abortNone, line.abortFunction, line.abortEarly, line.abortDeaf],
  },
  {
    name: "bills nothing when the client leaves, whatever onAbort says",
    start: webAdapter(() => ({ options: (options) => ({ ...options, onAbort: "none" }) })),
    never: true,
    breaks: [
      line.abortMeasured,
      line.abortDefault,
      line.abortFunction,
      line.abortHold,
      line.abortEarly,
      line.abortDeaf,
      line.abortParting,
    ],
  },
  {
    name: "gives the hold back when the client leaves, and then settles",
    start: webAdapter(() => ({
      admitted: (admission) => ({
        ...admission,
        async end(how) {
          if (how === "aborted") admission.credits.release();
          await admission.end(how);
        },
      }),
    })),
    never: true,
    breaks: [
      line.abortMeasured,
      line.abortDefault,
      line.abortFunction,
      line.abortHold,
      line.abortEarly,
      line.abortDeaf,
      line.abortParting,
    ],
  },
  {
    name: "settles an abort twice, on a charge of its own",
    start: webAdapter(() => ({
      admitted: (admission, { again }) => ({
        ...admission,
        async end(how) {
          const second = how === "aborted" ? await again() : undefined;
          if (second?.admitted) {
            for (const usage of admission.credits.reported) second.credits.report(usage);
            await second.end("completed");
          }
          await admission.end(how);
        },
      }),
    })),
    breaks: [...abortLines, line.abortDeciding],
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
    breaks: [line.abortEarly, line.abortDeciding, line.abortDeaf],
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
    breaks: [line.abortParting],
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
    breaks: [line.abortEarly, line.abortDeaf, line.abortDeciding],
  },
];

function takingAbortsFor(instead: Ending): AdapterMutant["start"] {
  return webAdapter(() => ({
    admitted: (admission) => ({
      ...admission,
      end: (how) => admission.end(how === "aborted" ? instead : how),
    }),
  }));
}
