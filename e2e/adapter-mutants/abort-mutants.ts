import { gatedResponse, type Usage } from "@creditgate/core";
import type { AdapterMutant } from "./mutant.ts";
import { changedCharge, ending, webAdapter } from "./web-adapter.ts";

/** Adapters that do the wrong thing when the client leaves. */
export const abortMutants: readonly AdapterMutant[] = [
  {
    name: "does not settle when the client leaves",
    adapter: webAdapter(() => ({
      admitted: (admission) =>
        ending(admission, async (how) => (how === "aborted" ? undefined : admission.end(how))),
    })),
    breaks: ["leaves no hold behind: who left can spend all that they did not use"],
  },
  {
    name: "bills whatever was reported, and does not look at onAbort",
    adapter: webAdapter(() => ({ options: ({ onAbort: _ignored, ...options }) => options })),
    breaks: [
      'settles once, as onAbort "default" says, for a client that leaves at any chunk',
      'settles once, as onAbort "none" says, for a client that leaves at any chunk',
      'settles once, as onAbort "function" says, for a client that leaves at any chunk',
    ],
  },
  {
    name: "takes an abort for a success",
    adapter: webAdapter(() => ({
      admitted: (admission) =>
        ending(admission, (how) => admission.end(how === "aborted" ? "completed" : how)),
    })),
    breaks: ["settles as onAbort says where the handler goes on when its client has left"],
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
      "settles as onAbort says for a client that leaves before the answer",
      "fires the signal of the charge when the client leaves before the answer",
    ],
  },
  {
    name: "settles an abort before it tells the stream",
    adapter: webAdapter(() => ({
      admitted: (admission) => ({
        ...admission,
        left(...evidence) {
          admission.end("aborted");
          return admission.left(...evidence);
        },
      }),
    })),
    breaks: ["bills what a stream reports while it is being told, and not as late"],
  },
  {
    name: "bills at the abort",
    adapter: webAdapter(() => ({
      admitted: (admission) => ({
        ...admission,
        left(seen) {
          const billed = admission.left(seen);
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
          left(seen) {
            asked ??= [onAbort(credits.reported) ?? {}];
            return admission.left(seen);
          },
          end: (how) => (how === "aborted" ? credits.settle(asked) : admission.end(how)),
        };
      },
    })),
    breaks: ["asks onAbort when the work has ended, not when the client leaves"],
  },
  {
    name: "does not look at the handler's promise",
    adapter: webAdapter(() => ({
      admitted: (admission) => ({ ...admission, left: () => admission.left() }),
    })),
    breaks: ["sets no limit to work that it sees"],
  },
  {
    name: "waits for ever for an end that nothing shows",
    adapter: webAdapter(() => ({
      admitted: (admission) => ({
        ...admission,
        async left() {
          admission.credits.leave();
          await new Promise(() => {});
        },
      }),
    })),
    breaks: ["ends after abortGraceMs the work of a client that has left where nothing shows its end"],
  },
  {
    name: "tells the handler nothing when its client leaves",
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
    name: "bills nothing for a client that leaves where nothing was reported",
    adapter: webAdapter(() => ({
      options: (options) => ({ onAbort: ([first]) => first, ...options }),
    })),
    breaks: ["bills defaultUsage for a client that leaves where nothing was reported, and only then"],
  },
  {
    name: "takes the cancellation of a stream for the end of its work",
    adapter: webAdapter(() => ({ admitted: (admission) => ending(admission, admission.end) })),
    breaks: ["holds for a stream that goes on though it has been cancelled"],
  },
  {
    name: "does not tell the gate that a stream has been cancelled",
    adapter: webAdapter(() => ({
      admitted: (admission) => ({ ...admission, left: (seen) => admission.left(seen) }),
    })),
    breaks: ["gives the hold of a stream back that reports when the signal fires"],
  },
];
