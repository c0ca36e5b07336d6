import { type AdapterBench, same } from "./bench.ts";

/** Two gates for the same work of one request: the adapter's, and one in its handler. */
export const adapterNestedGates: { readonly [behaviour: string]: (bench: AdapterBench) => Promise<void> } = {
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
