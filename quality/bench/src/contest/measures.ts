import { setTimeout } from "node:timers/promises";
import { medianOf } from "../comparison.ts";
import { smallWallet } from "./books.ts";
import type { Client, Ended } from "./client.ts";
import { streamTokens } from "./contestant.ts";
import type { Fault } from "./service.ts";

/** How much to measure. */
export interface Effort {
  /** Requests of the load whose calls are counted, and of all rounds together on each route: half as many. */
  readonly requests: number;
  readonly rounds: number;
  /** Streams that are read to their end, and streams whose client leaves. */
  readonly streams: number;
  /** How long billing hangs or fails, after the streams that are under way. */
  readonly outageMs: number;
  /** From a burst on a small wallet to the next: its debits come meanwhile. */
  readonly pauseMs: number;
  /** How long usage is waited for that may never be billed; after an outage, longer. */
  readonly billedWithinMs: number;
  readonly caughtUpWithinMs: number;
}

/** Requests at once, by a customer each. */
const atOnce = 10;

/** Work beyond the credits of a small wallet: 200 requests at once, and 200 more when the debits are in. */
export async function measureOverspend(
  client: Client,
  { pauseMs }: Effort,
): Promise<{ first: number; later: number }> {
  const burst = async () => {
    await client.sendMany(200, 200, () => client.send("small-1", "/chat"));
    return (await client.done("small")).tokens - smallWallet;
  };
  const first = await burst();
  await setTimeout(pauseMs);
  return { first, later: await burst() };
}

/** Calls of the billing service for 1,000 requests, from the first to the last bill. */
export async function measureCalls(client: Client, { requests, billedWithinMs }: Effort): Promise<number> {
  const before = await client.seen("load");
  await load(client, "", requests);
  await client.settled("load", billedWithinMs);
  const { calls } = await client.seen("load");
  return ((calls - before.calls) * 1_000) / requests;
}

/** What the gate adds to a JSON route, round by round. The bare route and the gated one take turns. */
export async function measureCost(
  client: Client,
  effort: Effort,
): Promise<readonly { cpuMs: number; p50Ms: number }[]> {
  const { rounds, billedWithinMs } = effort;
  const requests = Math.ceil(effort.requests / 2 / rounds);
  const round = async (route: "" | "/bare") => {
    const before = await client.done("load");
    const ended = await load(client, route, requests);
    if (route === "") await client.settled("load", billedWithinMs);
    const { cpuMs } = await client.done("load");
    return { cpuMs: (cpuMs - before.cpuMs) / requests, p50Ms: medianOf(ended.map((one) => one.elapsedMs)) };
  };
  await round("/bare");
  const added = [];
  for (let index = 0; index < rounds; index++) {
    const bare = await round("/bare");
    const gated = await round("");
    added.push({ cpuMs: gated.cpuMs - bare.cpuMs, p50Ms: gated.p50Ms - bare.p50Ms });
  }
  return added;
}

async function load(client: Client, route: string, requests: number): Promise<readonly Ended[]> {
  // The bare route's work is nobody's usage.
  const name = route === "" ? "load" : "bare";
  return await client.sendMany(requests, atOnce, (index) =>
    client.send(`${name}-${index % atOnce}`, `${route}/chat`),
  );
}

/** Streams that are read to their end, in pairs with bare ones: the first byte, and the tokens billed of those generated. */
export async function measureStreams(client: Client, { streams, billedWithinMs }: Effort) {
  const read = async (name: string, path: string): Promise<Ended[]> => {
    const ended: Promise<Ended>[] = [];
    for (let index = 0; index < streams; index++) {
      ended.push(client.send(`${name}-${index}`, path));
      await setTimeout(200);
    }
    return await Promise.all(ended);
  };
  const [bare, gated] = await Promise.all([read("bare", "/bare/stream"), read("whole", "/stream")]);
  await client.settled("whole", billedWithinMs);
  const firstByteOf = (ended: readonly Ended[]) => medianOf(ended.map(({ firstByteMs }) => firstByteMs));
  return {
    bareMs: firstByteOf(bare),
    gatedMs: firstByteOf(gated),
    billed: (await client.seen("whole")).billed,
    generated: (await client.done("whole")).tokens,
  };
}

/** Streams whose client leaves after a third: tokens billed of those generated, and credits that stay held. */
export async function measureLeaving(client: Client, { streams, billedWithinMs }: Effort) {
  const left = new AbortController();
  const sent = client.sendMany(streams, streams, (index) =>
    client.send(`leaves-${index}`, "/stream", left.signal),
  );
  await generated(client, "leaves", (streams * streamTokens) / 3, sent);
  left.abort();
  await sent;
  // A model that does not heed the signal generates on.
  await setTimeout(1_500);
  await client.settled("leaves", billedWithinMs);
  const { billed, held } = await client.seen("leaves");
  return { billed, held, generated: (await client.done("leaves")).tokens };
}

/** Waits until the model has generated so many tokens for these customers, or their streams have ended without. */
async function generated(
  client: Client,
  prefix: string,
  tokens: number,
  streams: Promise<unknown>,
): Promise<void> {
  let isOver = false;
  void streams.then(() => {
    isOver = true;
  });
  while (!isOver && (await client.done(prefix)).tokens < tokens) await setTimeout(25);
}

/** What an outage of the billing service does. */
export interface Outage {
  /** Requests of customers who have been served a second before. */
  readonly warm: readonly Ended[];
  /** Requests of customers who come for the first time. */
  readonly cold: readonly Ended[];
  /** Requests after its end. */
  readonly after: readonly Ended[];
  /** Credits of these requests, one before the outage included: those of the work, and those never billed. */
  readonly chat: { readonly work: number; readonly lost: number };
  /** The same of ten streams that were under way when it began, and of a request before each. */
  readonly stream: { readonly work: number; readonly lost: number };
  /** From its end to the last bill. */
  readonly caughtUpMs: number;
}

export async function measureOutage(client: Client, fault: Fault, effort: Effort): Promise<Outage> {
  const ten = (name: string, path: string) =>
    client.sendMany(10, 10, (index) => client.send(`${fault}-${name}-${index}`, path));

  const book = async (name: string) => {
    const [{ tokens }, { billed }] = await Promise.all([client.done(name), client.seen(name)]);
    return { work: tokens, lost: Math.max(0, tokens - billed) };
  };
  await Promise.all([ten("chat-warm", "/chat"), ten("stream", "/chat")]);
  await setTimeout(1_000);
  const streams = ten("stream", "/stream");
  await generated(client, `${fault}-stream`, 30 * 10, streams);
  await client.cause(fault);
  const requests = Promise.all([ten("chat-warm", "/chat"), ten("chat-cold", "/chat")]);
  await generated(client, `${fault}-stream`, 10 + 10 * streamTokens, streams);
  await setTimeout(effort.outageMs);
  await client.cause("none");
  const settling = client.settled(`${fault}-`, effort.caughtUpWithinMs, Promise.all([requests, streams]));
  await setTimeout(1_000);
  const after = await client.sendMany(10, 10, (index) => client.send(`after-${fault}-${index}`, "/chat"));
  const caughtUpMs = await settling;
  const [warm, cold] = await requests;
  return {
    warm,
    cold,
    after,
    chat: await book(`${fault}-chat`),
    stream: await book(`${fault}-stream`),
    caughtUpMs,
  };
}
