import type { AdapterRoute } from "./app.ts";
import { type AdapterBench, same, type TrialRequest } from "./bench.ts";

const chunks = 3;

/** What a client pays that leaves after `heard` chunks. */
type Policy = Exclude<AdapterRoute, "flat" | "hasty" | "observe">;
const bills: { readonly [policy in Policy]: (heard: number) => readonly string[] } = {
  reported: (heard) => [...Array.from({ length: heard }, (_, chunk) => `chunk ${chunk}`), "parting"],
  default: () => ["default"],
  none: () => [],
  function: (heard) => [`function of ${heard + 1}`],
};

/** The client leaves when it has heard `heard` chunks and the handler waits before the next. */
export async function leaveAfter(
  bench: AdapterBench,
  route: AdapterRoute,
  heard: number,
  plan: TrialRequest["plan"] = {},
): Promise<void> {
  const client = new AbortController();
  for (let chunk = 0; chunk < heard; chunk++) bench.pass(`chunk ${chunk}`);
  const answering = bench.send({ route, plan: { ...plan, body: chunks }, signal: client.signal });
  // It has not been answered yet where the first chunk takes the headers along.
  answering.catch(() => {});
  if (heard > 0) await bench.comes(`${heard} chunks`, readChunks(await answering, heard));
  await bench.reached(`chunk ${heard}`);
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

/** Clients that leave, at every chunk, under every policy. */
export const adapterAborts: { readonly [behaviour: string]: (bench: AdapterBench) => Promise<void> } = {
  ...Object.fromEntries(
    Object.entries(bills).map(([policy, bill]) => [
      `settles once, as onAbort ${JSON.stringify(policy)} says, for a client that leaves at any chunk`,
      async (bench: AdapterBench) => {
        for (let heard = 0; heard < chunks; heard++) {
          const customer = bench.other();
          // As a model does that is told to stop. What says nothing is waited for.
          await leaveAfter(customer, policy as keyof typeof bills, heard, { parting: "parting" });
          await customer.expectBill(bill(heard));
        }
      },
    ]),
  ),

  async "leaves no hold behind: who left can spend all that they did not use"(bench) {
    await leaveAfter(bench, "reported", 1);
    await bench.expectBill(["chunk 0"]);
    // Once the report has been acknowledged, only a hold could stand in the way of the whole balance.
    await bench.untilSoon("the whole balance", async () => (await bench.status({ hold: 10 })) === 200);
  },

  async "settles as onAbort says for a client that leaves before the answer"(bench) {
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

  async "does not serve a client that leaves while the gate decides, and gives the hold back"(bench) {
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

  async "tells a stream that its client has left"(bench) {
    await leaveAfter(bench, "reported", 1);
    await bench.until("the news", ({ left }) => left > 0);
  },

  async "bills what a stream reports while it is being told, and not as late"(bench) {
    await leaveAfter(bench, "reported", 1, { parting: "parting" });
    await bench.expectBill(["chunk 0", "parting"]);
    same("late", (await bench.state()).late, 0);
  },
};

/**
 * Tries until the app has noticed that the client has left at a step, before it went on behind it. Until it learns of
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
