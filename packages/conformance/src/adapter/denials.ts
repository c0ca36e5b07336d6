import { type AdapterBench, same } from "./bench.ts";

/** How the gate's answers reach the client. */
export const adapterDenials: { readonly [behaviour: string]: (bench: AdapterBench) => Promise<void> } = {
  async "answers 402 before the handler, as problem+json that is not to be cached"(bench) {
    const response = await bench.send({ hold: 11 });
    const { status, headers } = response;
    same("status", status, 402);
    same("content-type", headers.get("content-type")?.split(";")[0], "application/problem+json");
    same("cache-control", headers.get("cache-control"), "no-store");
    same("retry-after", headers.get("retry-after"), null);
    same("problem", await response.json(), {
      type: "urn:creditgate:denial:insufficient_credits",
      code: "insufficient_credits",
      status: 402,
      title: "Not enough credits",
      currency: "ai_credits",
      required: 11,
      available: 10,
      shortfall: 1,
      retryable: false,
    });
    await bench.expectUnreached();
  },

  async "answers 402 for a customer that the service does not know"(bench) {
    const unknown = bench.other("unknown");
    const response = await unknown.send();
    same("answer", [response.status, (await response.json()).code], [402, "customer_unknown"]);
    await unknown.expectUnreached();
  },

  async "answers 401 where there is no customer"(bench) {
    const response = await bench.send({ customer: null });
    same("answer", [response.status, (await response.json()).code], [401, "customer_unresolved"]);
  },

  async "answers 503 with Retry-After while the balance cannot be read"(bench) {
    const broken = bench.other("broken");
    const response = await broken.send();
    same("answer", [response.status, (await response.json()).code], [503, "upstream_unavailable"]);
    same("retry-after", response.headers.get("retry-after"), "1");
    await broken.expectUnreached();
  },

  async "answers a browser's navigation with a page"(bench) {
    const response = await bench.visit({ hold: 11 });
    same("status", response.status, 402);
    same("content-type", response.headers.get("content-type")?.toLowerCase(), "text/html; charset=utf-8");
    same("page", (await response.text()).startsWith("<!doctype html>"), true);
  },

  async "denies a HEAD"(bench) {
    const { status, headers } = await bench.send({ method: "HEAD", hold: 11 });
    const type = headers.get("content-type")?.split(";")[0];
    same("answer", { status, type }, { status: 402, type: "application/problem+json" });
    await bench.expectUnreached();
  },

  async "serves the very next request after a top-up"(bench) {
    bench.plane.give(bench.customer, 0);
    same("status", await bench.status(), 402);
    bench.plane.give(bench.customer, 10);
    same("status", await bench.status({ plan: { reports: ["m"] } }), 200);
    await bench.expectBill(["m"]);
  },

  async "leaves a resolver's error to the framework, and calls no handler"(bench) {
    const throwing = bench.other("resolver-throws");
    same("status", await throwing.status(), 500);
    await throwing.expectUnreached();
  },

  async "serves and bills a customer who cannot pay where the gate only observes"(bench) {
    same("status", await bench.status({ route: "observe", hold: 1_000, plan: { reports: ["m"] } }), 200);
    await bench.expectBill(["m"]);
  },

  async "serves a request without a customer where the gate only observes, and bills nothing"(bench) {
    const model = bench.customer;
    const request = { route: "observe", plan: { reports: [model] } } as const;
    same("status", await bench.status({ ...request, customer: null }), 200);
    // What follows in the same queue arrives behind what should not have been in it.
    same("status", await bench.status(request), 200);
    await bench.expectBill([model]);
    same("payers", bench.plane.payers(model), [bench.customer]);
  },
};
