import { crowdAct, type Play, postpaidAct, prepaidAct } from "./acts.ts";
import { LivePicture } from "./live-picture.ts";
import type { Screen } from "./screen.ts";
import { settled } from "./settled.ts";
import type { Stage } from "./stage.ts";
import { tryIt } from "./try-it.ts";
import { isClean, verdictLines, verdictOn } from "./verdict.ts";
import { Visitor } from "./visitor.ts";

/** What the demo has shown. */
export interface Outcome {
  /** Nothing was lost, billed twice or overspent, and everything happened that should. */
  readonly clean: boolean;
  /** What the reader may try now. */
  readonly tryIt: string;
}

/** Plays the three acts, waits for the bills, and compares them with what was served. */
export async function playDemo(stage: Stage, screen: Screen, signal: AbortSignal): Promise<Outcome> {
  const { chatUrl, client } = stage;
  const visitor = (id: string, kind: "prepaid" | "postpaid") =>
    new Visitor({ id, kind, token: `demo-${id}`, chatUrl, client, signal });
  const alice = visitor("alice", "prepaid");
  const bob = visitor("bob", "postpaid");
  const team = visitor("team", "prepaid");
  const visitors = [alice, bob, team];
  for (const one of visitors) await one.arrive();

  const surprises: string[] = [];
  const picture = new LivePicture(screen, visitors);
  try {
    const play: Play = { screen, picture, signal, surprises };
    await prepaidAct(play, alice);
    await postpaidAct(play, bob);
    await crowdAct(play, team);
    picture.progress = { label: "waiting until everything is settled", done: 1, of: 1 };
    await settled(visitors, signal);
    await picture.keep();
  } finally {
    picture.end();
  }

  if (team.left !== 0)
    surprises.push(`${team.id}: expected an empty wallet, received one with ${team.left / 1e6}`);
  const verdict = verdictOn(visitors);
  for (const line of verdictLines(verdict)) screen.say(line);
  for (const surprise of surprises.slice(0, 5)) screen.say(`   unexpected: ${surprise}`);
  return { clean: isClean(verdict) && surprises.length === 0, tryIt: tryIt(stage, alice, team) };
}
