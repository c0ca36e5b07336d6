import { adapterAbandonedWork } from "./abandoned-work.ts";
import { adapterAborts } from "./aborts.ts";
import { type AdapterBench, same } from "./bench.ts";
import { adapterDenials } from "./denials.ts";
import { adapterEndings } from "./endings.ts";
import { adapterMethods } from "./methods.ts";
import { adapterStreams } from "./streams.ts";
import type { AdapterTest } from "./trial.ts";

type Behaviours = { readonly [behaviour: string]: (bench: AdapterBench) => ReturnType<AdapterTest> };

const billing: Behaviours = {
  async "serves a customer who can pay, and bills what the handler reported"(bench) {
    const response = await bench.send({ plan: { reports: ["m"] } });
    same("answer", [response.status, await response.text()], [200, "done"]);
    await bench.expectBill(["m"]);
  },

  async "bills each of several reports"(bench) {
    await bench.status({ plan: { reports: ["a", "b", "c"] } });
    await bench.expectBill(["a", "b", "c"]);
  },

  async "answers before the usage has been delivered"(bench) {
    const unhurried = bench.other("unhurried");
    same("status", await unhurried.status({ plan: { reports: ["m"] } }), 200);
    await unhurried.reached("usage");
    unhurried.pass("usage");
    await unhurried.expectBill(["m"]);
  },

  async "bills nothing, and gives the hold back, where nothing was reported"(bench) {
    same("status", await bench.status(), 200);
    await bench.expectBill([]);
  },

  async "bills defaultUsage where nothing was reported, and only then"(bench) {
    await bench.status({ route: "default" });
    await bench.expectBill(["default"]);
    const reporting = bench.other();
    await reporting.status({ route: "default", plan: { reports: ["m"] } });
    await reporting.expectBill(["m"]);
  },

  async "takes every answer below 400 for a success"(bench) {
    same("status", await bench.status({ route: "default", plan: { status: 302 } }), 302);
    await bench.expectBill(["default"]);
  },

  async "answers with the handler's headers"(bench) {
    for (const body of ["text", "none", 0] as const) {
      const response = await bench.send({ plan: { body } });
      await bench.comes("the end of the answer", response.arrayBuffer());
      same(
        `x-handled-by with body ${body}`,
        response.headers.get("x-handled-by"),
        "the handler of the trial",
      );
    }
    await bench.expectBill([], 3);
  },

  async "answers without a body as the handler does"(bench) {
    same("status", await bench.status({ plan: { status: 204, body: "none", reports: ["m"] } }), 204);
    await bench.expectBill(["m"]);
  },

  async "leaves the handler's error to the framework, and bills what it had reported"(bench) {
    same("status", await bench.status({ route: "default", plan: { throws: true } }), 500);
    await bench.expectBill([]);
    const reporting = bench.other();
    same("status", await reporting.status({ plan: { throws: true, reports: ["m"] } }), 500);
    await reporting.expectBill(["m"]);
  },

  async "has the framework answer for what throws, as it would without a gate"(bench) {
    const own = await described(bench.ungatedError());
    same("handler's error", await described(bench.send({ method: "GET", plan: { throws: true } })), own);
    const throwing = { method: "GET", customer: "resolver-throws" } as const;
    same("resolver's error", await described(bench.send(throwing)), own);
  },

  async "bills an answer of 400 or above only what was reported"(bench) {
    same("status", await bench.status({ route: "default", plan: { status: 404 } }), 404);
    await bench.expectBill([]);
    const reporting = bench.other();
    same("status", await reporting.status({ plan: { status: 404, reports: ["m"] } }), 404);
    await reporting.expectBill(["m"]);
  },

  async "serves a HEAD, and bills it"(bench) {
    same("status", await bench.status({ method: "HEAD", plan: { reports: ["m"] } }), 200);
    await bench.expectBill(["m"]);
  },

  async "bills once the work of a HEAD that is answered with a stream, which is not read"(bench) {
    same("status", await bench.status({ method: "HEAD", route: "hasty", plan: { body: "flood" } }), 200);
    await bench.expectBill(["default"]);
  },

  async "bills a report that comes after the end, and emits that it was late"(bench) {
    await bench.status({ plan: { reports: ["m"], late: "late" } });
    await bench.expectBill(["m"]);
    bench.pass("late");
    await bench.expectBill(["m", "late"]);
    same("late", (await bench.state()).late, 1);
  },

  async "bills a report that comes after defaultUsage has been billed as late too"(bench) {
    await bench.status({ route: "flat", plan: { late: "late" } });
    await bench.expectBill(["default"]);
    bench.pass("late");
    await bench.expectBill(["default", "late"]);
    same("late", (await bench.state()).late, 1);
  },

  async "admits of many at once exactly as many as the wallet can pay for"(bench) {
    let denied = 0;
    const asked = Array.from({ length: 12 }, async () => {
      const response = await bench.send({ hold: 2, plan: { reports: ["m"], waits: true } });
      if (response.status === 402) denied++;
      await response.arrayBuffer();
      return response.status === 200;
    });
    const served = Promise.all(asked);
    served.catch(() => {});
    // Those who are served wait, so their holds are what the others are denied for.
    await bench.untilSoon("denials", () => denied === 7);
    bench.pass("answer");
    same("served", (await bench.comes("answers", served)).filter(Boolean).length, 5);
    await bench.expectBill(["m", "m", "m", "m", "m"], 5);
  },
};

/** By what the contract knows whose answer it is: frameworks differ in how much of an error they show. */
async function described(answer: Promise<Response>): Promise<unknown> {
  const response = await answer;
  const shown = (await response.text()).includes("of the trial throws");
  return { status: response.status, type: response.headers.get("content-type"), shown };
}

/** Two gates for the same work of one request: the adapter's, and one in its handler. */
const adapterNestedGates: { readonly [behaviour: string]: (bench: AdapterBench) => Promise<void> } = {
  async "holds and bills once the work of a request that two gates let in"(bench) {
    const plan = { nested: true, reports: ["m"], waits: true };
    // Two such holds are more than the wallet has.
    const answering = bench.status({ route: "flat", hold: 6, plan });
    answering.catch(() => {});
    await bench.reached("answer");
    same("held", (await bench.state()).held, 6);
    bench.pass("answer");
    same("status", await answering, 200);
    await bench.expectBill(["m"]);
  },

  async "bills defaultUsage once for a request that two gates let in"(bench) {
    same("status", await bench.status({ route: "flat", hold: 6, plan: { nested: true } }), 200);
    await bench.expectBill(["default"]);
  },
};

/** Every line of the contract that holds for all adapters. */
export const adapterBehaviours: Behaviours = {
  ...billing,
  ...adapterDenials,
  ...adapterMethods,
  ...adapterStreams,
  ...adapterAborts,
  ...adapterAbandonedWork,
  ...adapterNestedGates,
  ...adapterEndings,
};
