import type { Charge, Gate } from "@creditgate/core";
import { gatedResponse } from "@creditgate/core/adapter";
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
    name: "never settles",
    adapter: webAdapter(() => ({ admitted: (admission) => ending(admission, never) })),
    breaks: [
      "serves a customer who can pay, and bills what the handler reported",
      "bills nothing, and gives the hold back, where nothing was reported",
    ],
  },
  {
    name: "bills the last report only",
    adapter: webAdapter(() => ({
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
    breaks: ["bills each of several reports"],
  },
  {
    name: "answers when the usage has been delivered",
    adapter: webAdapter(() => {
      const gates = new Set<Gate>();
      return {
        gate(gate) {
          gates.add(gate);
          return gate;
        },
        life: handling((handle, end) => async (credits) => {
          const response = await handle(credits);
          await end(response.status < 400 ? "completed" : "failed");
          for (const gate of gates) await gate.flush();
          return response;
        }),
      };
    }),
    breaks: ["answers before the usage has been delivered"],
  },
  {
    name: "bills defaultUsage beside what was reported",
    adapter: webAdapter(() => ({
      admitted: (admission, { options: { defaultUsage } }) =>
        ending(admission, async (how) => {
          if (how === "completed" && defaultUsage !== undefined) admission.credits.report(defaultUsage);
          await admission.end(how);
        }),
    })),
    breaks: ["bills defaultUsage where nothing was reported, and only then"],
  },
  {
    name: "takes a redirect for a failure",
    adapter: webAdapter(() => ({
      life: handling((handle, end) => async (credits) => {
        const response = await handle(credits);
        if (response.status >= 300) await end("failed");
        return response;
      }),
    })),
    breaks: ["takes every answer below 400 for a success"],
  },
  {
    name: "takes a failure for a success",
    adapter: webAdapter(() => ({
      admitted: (admission) =>
        ending(admission, (how) => admission.end(how === "failed" ? "completed" : how)),
    })),
    breaks: ["bills an answer of 400 or above only what was reported"],
  },
  {
    name: "does not settle what has no body",
    adapter: webAdapter(() => ({ life: forgetting(async (handled) => (await handled).body === null) })),
    breaks: ["answers without a body as the handler does"],
  },
  {
    name: "does not settle when the handler throws",
    adapter: webAdapter(() => ({
      life: forgetting((handled) =>
        handled.then(
          () => false,
          () => true,
        ),
      ),
    })),
    breaks: ["leaves the handler's error to the framework, and bills what it had reported"],
  },
  {
    name: "does not bill HEAD",
    adapter: webAdapter(() => ({
      admitted: (admission, { request }) =>
        request.method === "HEAD" ? ending(admission, async () => admission.credits.release()) : admission,
    })),
    breaks: ["serves a HEAD, and bills it"],
  },
  {
    name: "waits for the end of a body that an answer to HEAD does not have",
    adapter: webAdapter(() => ({
      life: ({ request: { headers, signal }, ...gated }, handle) =>
        gatedResponse({ ...gated, request: { method: "POST", headers, signal } }, handle),
    })),
    breaks: ["bills once the work of a HEAD that is answered with a stream, which is not read"],
  },
  {
    name: "gives the hold of a HEAD back whose stream nobody reads",
    adapter: webAdapter(() => ({
      admitted: (admission, { request }) => {
        const disconnect = async () => {
          admission.credits.disconnect();
          admission.credits.release();
        };
        return request.method === "HEAD" ? { ...admission, disconnect } : admission;
      },
    })),
    breaks: ["holds for the stream of a HEAD, which is not read, whatever its work had reported before"],
  },
  {
    name: "drops late reports",
    adapter: webAdapter(() => ({
      admitted: (admission) => {
        const { credits } = admission;
        const report: Charge["report"] = (...usage) => {
          if (credits.open) credits.report(...usage);
        };
        return { ...admission, credits: changedCharge(credits, { report }) };
      },
    })),
    breaks: ["bills a report that comes after the end, and emits that it was late"],
  },
  {
    name: "bills defaultUsage instead of all that may yet come",
    adapter: webAdapter(() => ({
      admitted: (admission, { options: { defaultUsage } }) =>
        ending(admission, (how) => {
          const { reported, settle } = admission.credits;
          const isDefault = how === "completed" && reported.length === 0 && defaultUsage !== undefined;
          return isDefault ? settle([defaultUsage]) : admission.end(how);
        }),
    })),
    breaks: ["bills a report that comes after defaultUsage has been billed as late too"],
  },
  {
    name: "settles when the handler returns",
    adapter: webAdapter(() => ({
      life: handling((handle, end) => async (credits) => {
        const response = await handle(credits);
        await end(response.status < 400 ? "completed" : "failed");
        return response;
      }),
    })),
    breaks: ["holds until a stream has ended"],
  },
  {
    name: "keeps the charge where all requests find it",
    adapter: webAdapter(() => {
      let shared: Charge | undefined;
      return {
        admitted(admission) {
          shared = admission.credits;
          const report: Charge["report"] = (...usage) => shared?.report(...usage);
          return { ...admission, credits: changedCharge(admission.credits, { report }) };
        },
      };
    }),
    breaks: ["keeps apart two customers whose requests overlap"],
  },
  {
    name: "does not settle when the stream fails",
    adapter: webAdapter(() => ({
      life(gated, handle) {
        let served = false;
        const end =
          ({ end }: Admitted): Admitted["end"] =>
          async (how) =>
            served && how === "failed" ? undefined : end(how);
        const admission = gated.admission.then((deciding) =>
          deciding.admitted ? { ...deciding, end: end(deciding) } : deciding,
        );
        return gatedResponse({ ...gated, admission }, async (credits) => {
          const response = await handle(credits);
          served = response.status < 400;
          return response;
        });
      },
    })),
    breaks: ["bills a stream that fails what it has reported"],
  },
];
