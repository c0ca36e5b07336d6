import { adapterAborts } from "./adapter-aborts.ts";
import { type AdapterBench, same } from "./adapter-bench.ts";
import { adapterDenials } from "./adapter-denials.ts";

type Behaviours = { readonly [behaviour: string]: (bench: AdapterBench) => Promise<void> };

const billing: Behaviours = {
  async "serves who can pay, and bills what the handler reported"(bench) {
    const response = await bench.send({ plan: { reports: ["m"] } });
    same("answer", [response.status, await response.text()], [200, "done"]);
    await bench.expectBill(["m"]);
  },

  async "bills each of several reports"(bench) {
    await bench.status({ plan: { reports: ["a", "b", "c"] } });
    await bench.expectBill(["a", "b", "c"]);
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

  async "lets OPTIONS through, ungated and unbilled"(bench) {
    same("status", await bench.status({ method: "OPTIONS", hold: 1_000, plan: { reports: ["m"] } }), 200);
    same("state", await bench.state(), { reached: 1, settlements: 0, late: 0, held: 0 });
    same("billed", bench.plane.billed(bench.customer), []);
  },

  async "bills a report that comes after the end, and tells that it was late"(bench) {
    await bench.status({ plan: { reports: ["m"], late: "late" } });
    await bench.expectBill(["m"]);
    bench.plane.pass(bench.customer, "late");
    await bench.expectBill(["m", "late"]);
    same("late", (await bench.state()).late, 1);
  },

  async "admits of many at once exactly as many as the wallet can pay for"(bench) {
    let denied = 0;
    const served = Array.from({ length: 12 }, async () => {
      const status = await bench.status({ hold: 2, plan: { reports: ["m"], waits: true } });
      if (status === 402) denied++;
      return status === 200;
    });
    // Those who are served wait, so their holds are what the others are denied for.
    await bench.until("denials", async () => denied === 7);
    bench.plane.pass(bench.customer, "answer");
    same("served", (await Promise.all(served)).filter(Boolean).length, 5);
    await bench.expectBill(["m", "m", "m", "m", "m"], 5);
  },
};

const streams: Behaviours = {
  async "lets the first chunk arrive while the handler is still blocked before its second"(bench) {
    const { customer, plane } = bench;
    plane.pass(customer, "chunk 0");
    const response = await bench.send({ plan: { body: 2 } });
    const reader = response.body?.getReader();
    same("first chunk", new TextDecoder().decode((await reader?.read())?.value), "chunk 0\n");
    await plane.reached(customer, "chunk 1");
    same("settlements", (await bench.state()).settlements, 0);
    plane.pass(customer, "chunk 1");
    same("second chunk", new TextDecoder().decode((await reader?.read())?.value), "chunk 1\n");
    same("end", (await reader?.read())?.done, true);
    await bench.expectBill(["chunk 0", "chunk 1"]);
  },

  async "bills a stream that fails what it has reported"(bench) {
    bench.plane.pass(bench.customer, "chunk 0");
    // How much of it arrives is the runtime's: some tear the connection down at once.
    await bench.status({ plan: { body: 1, fails: true } }).catch(() => {});
    await bench.expectBill(["chunk 0"]);
  },
};

/** Every line of the contract. */
export const adapterBehaviours: Behaviours = { ...billing, ...adapterDenials, ...streams, ...adapterAborts };
