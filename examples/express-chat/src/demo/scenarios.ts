import { inCredits } from "./credits.ts";
import type { Customers } from "./customers.ts";
import type { Gateway } from "./gateway.ts";
import type { LivePicture } from "./live-picture.ts";
import { settled } from "./settled.ts";
import type { Chat } from "./setup.ts";
import type { Side } from "./side.ts";
import type { Reply, Visitor } from "./visitor.ts";

/** What a scenario needs, and where it notes what went wrong. */
export interface Run {
  readonly picture: LivePicture;
  readonly signal: AbortSignal;
  /** Of Creditgate alone: the verdict shows what the other side does wrong. */
  readonly surprises: string[];
}

/** Pays in advance, or later up to a limit, and chats until it is denied; alice tops up, and asks again at once. */
export async function chatScenario(run: Run, { alice, bob }: Customers): Promise<void> {
  const [, thanked] = await Promise.all([
    chatUntilDenied(run, bob),
    chatUntilDenied(run, alice).then(async () => {
      await alice.topUp(5);
      return alice.ask(60);
    }),
  ]);
  expectServed(run, alice, thanked);
}

const askers = 200;

/** Many requests at the same moment, on a wallet that can pay for a quarter of them. */
export async function raceScenario(run: Run, { team }: Customers): Promise<void> {
  const affordable = team.funds / 1e6;
  const replies = await Promise.all(
    Array.from({ length: askers }, async () => {
      const reply = await team.ask(100);
      const answered = team.served + team.denied + team.failed;
      run.picture.progress = { label: `${answered} of ${askers}`, done: answered, of: askers };
      return reply;
    }),
  );
  for (const reply of replies) if (reply.status === "failed") run.surprises.push(`team: ${reply.reason}`);
  if (team.served !== affordable || team.denied !== askers - affordable) {
    run.surprises.push(
      `team: expected ${affordable} served and ${askers - affordable} denied, ` +
        `received ${team.served} and ${team.denied}`,
    );
  }
}

const stops = 10;

/** Presses stop in the middle of an answer, and asks again at once; reads the last answer to its end. */
export async function stopScenario(run: Run, { erin }: Customers): Promise<void> {
  for (let stop = 0; stop < stops; stop++) {
    const reply = await erin.ask(90, { stopAfter: 8 });
    if (reply.status !== "stopped")
      run.surprises.push(`erin: expected an answer to stop, ${described(reply)}`);
  }
  expectServed(run, erin, await erin.ask(60));
}

const answersInTheOutage = 3;

/** Asks while billing cannot be reached; then the server is killed, started again, and billing is back. */
export async function outageScenario(
  run: Run,
  groups: readonly Customers[],
  { gateway, chats }: { gateway: Gateway; chats: ReadonlyMap<Side, Chat> },
): Promise<void> {
  const doras = groups.map(({ dora }) => dora);
  // The gate knows the wallet, as it would of any customer who is in the midst of a chat.
  const first = await Promise.all(doras.map((dora) => dora.ask(10)));
  await settled(doras, run.signal);
  await gateway.close();
  const replies = await Promise.all(
    doras.map(async (dora) => {
      const all: Reply[] = [];
      for (let at = 0; at < answersInTheOutage; at++) all.push(await dora.ask(30));
      return all;
    }),
  );
  const killed = groups.map(({ side, isOurs, dora }) => ({ chat: chats.get(side), isOurs, dora }));
  // Of a cluster the process that has served last: another one by its name finds what it had not delivered.
  for (const { chat, isOurs, dora } of killed) if (isOurs) await chat?.written(dora, answersInTheOutage);
  await Promise.all(killed.map(({ chat, dora }) => chat?.kill(dora.lastAsked)));
  await gateway.open();
  await Promise.all(killed.map(({ chat, dora }) => chat?.restart(dora.lastAsked)));
  for (const [at, dora] of doras.entries()) {
    if (groups[at]?.isOurs !== true) continue;
    for (const reply of [first[at], ...(replies[at] ?? [])]) if (reply) expectServed(run, dora, reply);
  }
}

/** Long enough for any wallet of this demo. */
const patience = 20;
const lengths = [80, 95, 60, 75, 90];

async function chatUntilDenied({ picture, surprises }: Run, visitor: Visitor): Promise<void> {
  for (let asked = 0; asked < patience; asked++) {
    const reply = await visitor.ask(lengths[asked % lengths.length] ?? 0);
    const label = `${visitor.id} has spent ${inCredits(visitor.worth)} credits`;
    picture.progress = { label, done: visitor.worth, of: visitor.funds };
    if (reply.status === "failed") surprises.push(`${visitor.id}: ${described(reply)}`);
    if (reply.status !== "served") return;
  }
  surprises.push(`${visitor.id}: expected to be denied within ${patience} requests`);
}

function expectServed({ surprises }: Run, visitor: Visitor, reply: Reply): void {
  if (reply.status !== "served") surprises.push(`${visitor.id}: expected to be served, ${described(reply)}`);
}

function described(reply: Reply): string {
  return reply.status === "failed" ? `received ${reply.reason}` : `received "${reply.status}"`;
}
