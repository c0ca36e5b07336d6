import { type AdapterBench, same } from "./bench.ts";

/** Headers that have led around a gate somewhere, or pretend to be what a gate may let pass. */
const tricks: readonly Readonly<Record<string, string>>[] = [
  { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
  { "x-middleware-subrequest": "src/middleware:src/middleware:src/middleware:src/middleware:src/middleware" },
  { "x-middleware-prefetch": "1" },
  { "x-http-method-override": "OPTIONS" },
  { "x-http-method": "OPTIONS" },
  { "x-method-override": "OPTIONS" },
  { origin: "https://elsewhere.example", "access-control-request-method": "POST" },
  { "x-original-url": "/state", "x-rewrite-url": "/state" },
  { "x-forwarded-for": "127.0.0.1", "x-forwarded-uri": "/state" },
  { rsc: "1", "next-router-prefetch": "1" },
  { purpose: "prefetch", "sec-purpose": "prefetch" },
];

/** Paths that a router may take for that of the route. */
const spellings: readonly string[] = [
  "/reported/",
  "/reported//",
  "//reported",
  "/./reported",
  "/state/../reported",
  "/%72eported",
  "/reported%2f",
  "/%2freported",
  "/reported.rsc",
  "/reported.json",
  "/reported?_rsc=1",
  "/reported;a=b",
  "/REPORTED",
];

/** All ways in lead through the gate. */
export const adapterMethods: { readonly [behaviour: string]: (bench: AdapterBench) => Promise<void> } = {
  async "denies a customer who cannot pay by any method, with and without a body"(bench) {
    for (const method of bench.methods) {
      for (const body of [undefined, "a question"]) {
        const way = `${method} ${body === undefined ? "without" : "with"} a body`;
        same(way, await bench.status({ method, body, hold: 11 }), 402);
        same(`${way}, without a customer`, await bench.status({ method, body, customer: null }), 401);
      }
    }
    await bench.expectUnreached();
  },

  async "holds for a request by any method, and bills it, with and without a body"(bench) {
    for (const method of bench.methods) {
      for (const body of [undefined, "a question"]) {
        const customer = bench.other();
        const answering = customer.status({ method, body, plan: { reports: ["m"], waits: true } });
        answering.catch(() => {});
        await customer.reached("answer");
        same(`held for ${method}`, (await customer.state()).held, 5);
        customer.pass("answer");
        same(method, await answering, 200);
        await customer.expectBill(["m"]);
      }
    }
  },

  async "denies a customer who cannot pay, whatever header is sent"(bench) {
    for (const headers of tricks) {
      for (const method of ["GET", "POST"]) await bench.status({ method, headers, hold: 11 });
    }
    await bench.expectUnreached();
  },

  async "denies a customer who cannot pay by another spelling of the path"(bench) {
    for (const path of spellings) {
      for (const method of ["GET", "POST"]) await bench.status({ method, path, hold: 11 });
    }
    await bench.expectUnreached();
  },
};
