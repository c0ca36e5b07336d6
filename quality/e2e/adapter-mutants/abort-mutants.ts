import type { Usage } from "@creditgate/core";
import { gatedResponse } from "@creditgate/core/adapter";
import type { AdapterMutant } from "./mutant.ts";
import { changedCharge, ending, webAdapter } from "./web-adapter.ts";

/** Adapters that do the wrong thing when the client disconnects. */
export const abortMutants: readonly AdapterMutant[] = [
  {
    name: "does not settle when the client disconnects",
    adapter: webAdapter(() => ({
      admitted: (admission) =>
        ending(admission, async (how) => (how === "aborted" ? undefined : admission.end(how))),
    })),
    breaks: ["leaves no hold behind: a client that disconnected can spend all that they did not use"],
  },
  {
    name: "bills whatever was reported, and does not look at onAbort",
    adapter: webAdapter(() => ({ options: ({ onAbort: _ignored, ...options }) => options })),
    breaks: [
      'settles once, as onAbort "default" says, for a client that disconnects at any chunk',
      'settles once, as onAbort "none" says, for a client that disconnects at any chunk',
      'settles once, as onAbort "function" says, for a client that disconnects at any chunk',
    ],
  },
  {
    name: "takes an abort for a success",
    adapter: webAdapter(() => ({
      admitted: (admission) =>
        ending(admission, (how) => admission.end(how === "aborted" ? "completed" : how)),
    })),
    breaks: ["settles as onAbort says where the handler goes on when its client has disconnected"],
  },
  {
    name: "does not listen to the signal of the request",
    adapter: webAdapter(() => ({
      life: ({ request, ...gated }, handle) => {
        const { signal } = new AbortController();
        const { method, headers } = request;
        return gatedResponse({ ...gated, request: { method, headers, signal } }, handle);
      },
    })),
    breaks: [
      "settles as onAbort says for a client that disconnects before the answer",
      "fires the signal of the charge when the client disconnects before the answer",
    ],
  },
  {
    name: "settles an abort before it tells the stream",
    adapter: webAdapter(() => ({
      admitted: (admission) => ({
        ...admission,
        disconnect(...evidence) {
          admission.end("aborted");
          return admission.disconnect(...evidence);
        },
      }),
    })),
    breaks: ["bills what a stream reports while it is being cancelled, and not as late"],
  },
  {
    name: "bills at the abort",
    adapter: webAdapter(() => ({
      admitted: (admission) => ({
        ...admission,
        disconnect(seen) {
          const billed = admission.disconnect(seen);
          admission.end("aborted");
          return billed;
        },
      }),
    })),
    breaks: [
      "holds for work that goes on without its client; others are denied meanwhile, and may ask again",
      "runs one piece of work at a time of clients that open and reset, where the wallet pays for one",
    ],
  },
  {
    name: "asks onAbort at the abort",
    adapter: webAdapter(() => ({
      admitted(admission, { options: { onAbort } }) {
        if (typeof onAbort !== "function") return admission;
        const { credits } = admission;
        let asked: readonly Usage[] | undefined;
        return {
          ...admission,
          disconnect(seen) {
            asked ??= [onAbort(credits.reported) ?? {}];
            return admission.disconnect(seen);
          },
          end: (how) => (how === "aborted" ? credits.settle(asked) : admission.end(how)),
        };
      },
    })),
    breaks: ["asks onAbort when the work has ended, not when the client disconnects"],
  },
  {
    name: "does not look at the handler's promise",
    adapter: webAdapter(() => ({
      admitted: (admission) => ({ ...admission, disconnect: () => admission.disconnect() }),
    })),
    breaks: ["sets no limit to work that it sees"],
  },
  {
    name: "waits for ever for an end that nothing shows",
    adapter: webAdapter(() => ({
      admitted: (admission) => ({
        ...admission,
        async disconnect() {
          admission.credits.disconnect();
          await new Promise(() => {});
        },
      }),
    })),
    breaks: ["ends after abortGraceMs the work of a client that has left where nothing shows its end"],
  },
  {
    name: "tells the handler nothing when its client disconnects",
    adapter: webAdapter(() => ({
      admitted: (admission) => {
        const { signal } = new AbortController();
        return { ...admission, credits: changedCharge(admission.credits, { signal }) };
      },
    })),
    breaks: [
      "serves a person who presses stop and asks again at once, each time, where the wallet pays for three",
    ],
  },
  {
    name: "bills nothing for a client that disconnects where nothing was reported",
    adapter: webAdapter(() => ({
      options: (options) => ({ onAbort: ([first]) => first, ...options }),
    })),
    breaks: ["bills defaultUsage for a client that disconnects where nothing was reported, and only then"],
  },
  {
    name: "takes the cancellation of a stream for the end of its work",
    adapter: webAdapter(() => ({ admitted: (admission) => ending(admission, admission.end) })),
    breaks: ["holds for a stream that goes on though it has been cancelled"],
  },
  {
    name: "does not tell the gate that a stream has been cancelled",
    adapter: webAdapter(() => ({
      admitted: (admission) => ({ ...admission, disconnect: (seen) => admission.disconnect(seen) }),
    })),
    breaks: ["gives the hold of a stream back that reports when the signal fires"],
  },
];
