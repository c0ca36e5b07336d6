import { disconnectAfter } from "./aborts.ts";
import { type AdapterBench, same, type TrialRequest } from "./bench.ts";
import { untilBlocked } from "./streams.ts";

type Behaviours = { readonly [behaviour: string]: (bench: AdapterBench) => Promise<void> };

/** The client disconnects while the handler waits. Resolves when the signal of the charge has fired. */
async function disconnect(bench: AdapterBench, request: TrialRequest): Promise<void> {
  const client = new AbortController();
  bench.send({ ...request, signal: client.signal }).catch(() => {});
  await bench.reached("answer");
  client.abort();
  await bench.until("the signal", ({ signalled }) => signalled > 0);
}

/** Each look takes as long as the shortest grace, or longer. */
async function staysHeld(bench: AdapterBench): Promise<void> {
  for (let look = 0; look < 20; look++) same("held", (await bench.state()).held, 5);
}

const clients = 50;
const questions = 10;

/** What becomes of work whose client has disconnected. */
export const adapterAbandonedWork: Behaviours = {
  async "fires the signal of the charge when the client disconnects before the answer"(bench) {
    await disconnect(bench, { plan: { waits: true } });
    await bench.expectBill([]);
  },

  async "fires the signal of the charge when the client disconnects amid the answer"(bench) {
    await disconnectAfter(bench, "reported", 1, { parting: "parting" });
    await bench.until("the signal", ({ signalled }) => signalled === 1);
    await bench.expectBill(["chunk 0", "parting"]);
  },

  async "holds for work that goes on without its client; others are denied meanwhile, and may ask again"(
    bench,
  ) {
    await disconnect(bench, { hold: 6, plan: { waits: "deaf", afterwards: "m" } });
    const denied = await bench.send({ hold: 6 });
    same("denied", [denied.status, (await denied.json()).retryable], [402, true]);
    bench.pass("answer");
    await bench.expectBill(["m"]);
    const { late, reached } = await bench.state();
    same("late and reached", [late, reached], [0, 1]);
    await bench.untilSoon("the whole balance", async () => (await bench.status({ hold: 10 })) === 200);
  },

  async "holds for the stream of a HEAD, which is not read, whatever its work had reported before"(bench) {
    const work = { body: "stream", heeds: "nothing" } as const;
    const request = { method: "HEAD", route: "flat", hold: 9, plan: { reports: ["first"], work } } as const;
    same("status", await bench.status(request), 200);
    await bench.until("the signal", ({ fired }) => fired > 0);
    same("answers meanwhile", await Promise.all([1, 2].map(() => bench.status(request))), [402, 402]);
    bench.pass("work");
    await bench.expectBill(["first", "m"]);
    same("late", (await bench.state()).late, 0);
  },

  async "settles as onAbort says where the handler goes on when its client has disconnected"(bench) {
    await disconnect(bench, { route: "default", plan: { waits: "deaf", afterwards: "m" } });
    bench.pass("answer");
    await bench.expectBill(["default"]);
  },

  async "asks onAbort when the work has ended, not when the client disconnects"(bench) {
    await disconnect(bench, { route: "function", plan: { waits: "deaf", afterwards: "m" } });
    bench.pass("answer");
    await bench.expectBill(["function of 1"]);
  },

  async "bills defaultUsage for a client that disconnects where nothing was reported, and only then"(bench) {
    await disconnect(bench, { route: "flat", plan: { waits: true } });
    await bench.expectBill(["default"]);
    const reporting = bench.other();
    await disconnect(reporting, { route: "flat", plan: { reports: ["m"], waits: true } });
    await reporting.expectBill(["m"]);
  },

  async "runs one piece of work at a time of clients that open and reset, where the wallet pays for one"(
    bench,
  ) {
    const request = { hold: 10, plan: { waits: "deaf", afterwards: "m" } } as const;
    await disconnect(bench, request);
    const leaving = Array.from({ length: clients - 1 }, async (_, turn) => {
      const client = new AbortController();
      const answering = bench.send({ ...request, plan: { ...request.plan, turn }, signal: client.signal });
      await Promise.race([answering, bench.reached(`answer ${turn}`)]);
      client.abort();
    });
    await Promise.all(leaving);
    bench.pass("answer");
    for (let turn = 0; turn < clients - 1; turn++) bench.pass(`answer ${turn}`);
    const { peak } = await bench.until("the end of all work", ({ running }) => running === 0);
    same("most at a time", peak, 1);
    await bench.expectBill(["m"]);
  },

  async "serves a person who presses stop and asks again at once, each time, where the wallet pays for three"(
    bench,
  ) {
    for (let turn = 0; turn < questions; turn++) {
      const client = new AbortController();
      const answering = bench.send({ hold: 3, plan: { waits: true, turn }, signal: client.signal });
      const denied = answering.then(({ status }) => same(`question ${turn}`, status, "served"));
      await Promise.race([denied, bench.reached(`answer ${turn}`)]);
      denied.catch(() => {});
      // When the next but one is asked its hold is back.
      await bench.until("the end of the question before", ({ held }) => held === 3);
      client.abort();
    }
    await bench.expectBill([], questions);
  },

  async "ends after abortGraceMs the work of a client that has left where nothing shows its end"(bench) {
    await disconnectAfter(bench, "hasty", 1, { pushes: "deaf" });
    await bench.expectBill(["chunk 0"]);
  },

  async "holds for a stream that goes on though it has been cancelled"(bench) {
    await disconnectAfter(bench, "reported", 1, { pushes: "deaf" });
    await bench.until("the cancellation", ({ disconnects }) => disconnects > 0);
    await staysHeld(bench);
  },

  async "gives the hold of a stream back that reports when the signal fires"(bench) {
    await disconnectAfter(bench, "reported", 1, { pushes: "heeding", parting: "parting" });
    await bench.expectBill(["chunk 0", "parting"]);
    same("late", (await bench.state()).late, 0);
  },
};

/** What else becomes of it where the adapter sees the handler's promise. */
export const adapterSeen: Behaviours = {
  async "sets no limit to work that it sees"(bench) {
    await disconnect(bench, { route: "hasty", plan: { waits: "deaf", afterwards: "m" } });
    await staysHeld(bench);
    bench.pass("answer");
    await bench.expectBill(["m"]);
    same("late", (await bench.state()).late, 0);
  },
};

/** What else becomes of it where the handler writes to Node's response. */
export const adapterOnNode: Behaviours = {
  async "ends the wait for a drain of a client that has left"(bench) {
    const client = new AbortController();
    const plan = { body: "flood", reports: ["m"], onNode: "drains" } as const;
    same("status", (await bench.send({ plan, signal: client.signal })).status, 200);
    await untilBlocked(bench);
    client.abort();
    await bench.expectBill(["m"]);
  },
};

/** What else becomes of it where both is so. */
export const adapterSeenOnNode: Behaviours = {
  async "holds for work that it sees though the response has been ended"(bench) {
    await disconnectAfter(bench, "reported", 1, { onNode: "ends" });
    await bench.until("the end of the response", ({ disconnects }) => disconnects > 0);
    await staysHeld(bench);
    for (const chunk of [1, 2]) bench.pass(`chunk ${chunk}`);
    await bench.expectBill(["chunk 0", "chunk 1", "chunk 2"]);
    same("late", (await bench.state()).late, 0);
  },
};
