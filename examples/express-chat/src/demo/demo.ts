import { chatAct, outageAct, type Play, raceAct, stopAct } from "./acts.ts";
import { type Cast, castOf } from "./cast.ts";
import { inCredits } from "./credits.ts";
import { LivePicture } from "./live-picture.ts";
import type { Screen } from "./screen.ts";
import { settled } from "./settled.ts";
import { sides } from "./side.ts";
import type { Stage } from "./stage.ts";
import { actsOf } from "./story.ts";
import { tableOf } from "./table.ts";
import { isClean, verdictLines, verdictOn } from "./verdict.ts";

/** What the demo has shown. */
export interface Outcome {
  /** With Creditgate nothing was lost, billed twice or overspent, and everything happened that should. */
  readonly clean: boolean;
  /** What each customer saw, side by side. */
  readonly table: readonly string[];
  readonly verdict: readonly string[];
  readonly casts: readonly Cast[];
}

/** Plays the four acts to both chats at the same time, waits for the bills, and compares them with what was served. */
export async function playDemo(stage: Stage, screen: Screen, signal: AbortSignal): Promise<Outcome> {
  const casts = sides.map((side) => castOf(side, stage, signal));
  const visitors = casts.flatMap((cast) => cast.visitors);
  for (const visitor of visitors) await visitor.arrive();
  const ours = casts.filter(({ isOurs }) => isOurs);

  const surprises: string[] = [];
  const acts = actsOf(stage.processes);
  const picture = new LivePicture(screen, casts);
  const both = (act: (play: Play, cast: Cast) => Promise<void>) =>
    Promise.all(casts.map((cast) => act({ picture, signal, surprises: cast.isOurs ? surprises : [] }, cast)));
  try {
    screen.say(acts.chat);
    await both(chatAct);
    screen.say(acts.race);
    await both(raceAct);
    screen.say(acts.stop);
    await both(stopAct);
    screen.say(acts.outage);
    await outageAct({ picture, signal, surprises }, casts, {
      gateway: stage.gateway,
      chats: stage.chats,
    });
    picture.progress = { label: "waiting until everything is settled", done: 1, of: 1 };
    const certain = ours.flatMap((cast) => cast.visitors);
    await settled(visitors, signal, certain);
  } finally {
    picture.end();
  }

  for (const { team } of ours)
    if (team.left !== 0) surprises.push(`team: expected an empty wallet, received ${inCredits(team.left)}`);
  const verdicts = casts.map((cast) => ({ name: cast.side.name, cast, verdict: verdictOn(cast.visitors) }));
  const clean =
    surprises.length === 0 && verdicts.every(({ cast, verdict }) => !cast.isOurs || isClean(verdict));
  const lines = verdictLines(verdicts);
  return {
    clean,
    table: tableOf(casts),
    verdict: [...lines, ...surprises.slice(0, 3).map((surprise) => `unexpected: ${surprise}`)],
    casts,
  };
}
