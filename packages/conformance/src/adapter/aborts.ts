import type { AdapterRoute } from "./app.ts";
import { type AdapterBench, same, type TrialRequest } from "./bench.ts";

const chunks = 3;

/** What a client pays that leaves after `received` chunks. */
type Policy = Exclude<AdapterRoute, "flat" | "hasty" | "observe">;
const bills: { readonly [policy in Policy]: (received: number) => readonly string[] } = {
  reported: (received) => [...Array.from({ length: received }, (_, chunk) => `chunk ${chunk}`), "parting"],
  default: () => ["default"],
  none: () => [],
  function: (received) => [`function of ${received + 1}`],
};

/** The client disconnects when it has received `received` chunks and the handler waits before the next. */
export async function disconnectAfter(
  bench: AdapterBench,
  route: AdapterRoute,
  received: number,
  plan: TrialRequest["plan"] = {},
): Promise<void> {
  const client = new AbortController();
  for (let chunk = 0; chunk < received; chunk++) bench.pass(`chunk ${chunk}`);
  const answering = bench.send({ route, plan: { ...plan, body: chunks }, signal: client.signal });
  // It has not been answered yet where the first chunk takes the headers along.
  answering.catch(() => {});
  if (received > 0) await bench.comes(`${received} chunks`, readChunks(await answering, received));
  await bench.reached(`chunk ${received}`);
  client.abort();
}

async function readChunks(response: Response, count: number): Promise<void> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (text.split("\n").length <= count) {
    const read = await reader?.read();
    if (read?.done !== false) throw new Error(`expected ${count} chunks, received ${JSON.stringify(text)}`);
    text += decoder.decode(read.value, { stream: true });
  }
}

/** Clients that disconnect, at every chunk, under every policy. */
export const adapterAborts: { readonly [behaviour: string]: (bench: AdapterBench) => Promise<void> } = {
  ...Object.fromEntries(
    Object.entries(bills).map(([policy, bill]) => [
      `settles once, as onAbort ${JSON.stringify(policy)} says, for a client that disconnects at any chunk`,
      async (bench: AdapterBench) => {
        for (let received = 0; received < chunks; received++) {
          const customer = bench.other();
          // As a model does when it is aborted. One that reports nothing is waited for.
          await disconnectAfter(customer, policy as keyof typeof bills, received, { parting: "parting" });
          await customer.expectBill(bill(received));
        }
      },
    ]),
  ),

  async "leaves no hold behind: a client that disconnected can spend all that they did not use"(bench) {
    await disconnectAfter(bench, "reported", 1);
    await bench.expectBill(["chunk 0"]);
    // Once the report has been acknowledged, only a hold could stand in the way of the whole balance.
    await bench.untilSoon("the whole balance", async () => (await bench.status({ hold: 10 })) === 200);
  },

  async "settles as onAbort says for a client that disconnects before the answer"(bench) {
    const client = new AbortController();
    const request = {
      route: "default",
      plan: { waits: true, reports: ["m"] },
      signal: client.signal,
    } as const;
    const answering = bench.send(request).catch(() => undefined);
    await bench.reached("answer");
    client.abort();
    same("answer", await answering, undefined);
    await bench.expectBill(["default"]);
  },

  async "does not serve a client that disconnects while the gate decides, and gives the hold back"(bench) {
    await untilNoticed(bench, async (looks) => {
      const slow = bench.other("slow");
      const client = new AbortController();
      slow.send({ signal: client.signal }).catch(() => {});
      await slow.reached("balance");
      client.abort();
      for (let look = 0; look < looks; look++) await slow.state();
      slow.pass("balance");
      await slow.expectBill([]);
      return (await slow.state()).reached === 0;
    });
  },

  async "cancels the stream of a client that has disconnected"(bench) {
    await disconnectAfter(bench, "reported", 1);
    await bench.until("the cancellation", ({ disconnects }) => disconnects > 0);
  },

  async "bills what a stream reports while it is being cancelled, and not as late"(bench) {
    await disconnectAfter(bench, "reported", 1, { parting: "parting" });
    await bench.expectBill(["chunk 0", "parting"]);
    same("late", (await bench.state()).late, 0);
  },
};

/**
 * Tries until the app has noticed that the client has disconnected at a step, before it went on behind it. Until it learns of
 * that it serves the client, and rightly so: each try waits longer.
 */
async function untilNoticed(
  bench: AdapterBench,
  attempt: (looks: number) => Promise<boolean>,
): Promise<void> {
  let looks = 1;
  await bench.untilSoon("an app that notices", async () => {
    const noticed = await attempt(looks);
    looks *= 2;
    return noticed;
  });
}
