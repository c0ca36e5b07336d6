import { inCredits } from "./credits.ts";
import { type Customers, customersOf } from "./customers.ts";
import { LivePicture } from "./live-picture.ts";
import { chatScenario, outageScenario, type Run, raceScenario, stopScenario } from "./scenarios.ts";
import type { Screen } from "./screen.ts";
import { settled } from "./settled.ts";
import type { Setup } from "./setup.ts";
import { sides } from "./side.ts";
import { tableOf } from "./table.ts";
import { scenariosOf } from "./text.ts";
import { isClean, verdictLines, verdictOn } from "./verdict.ts";

/** What the demo has shown. */
export interface Outcome {
  /** With Creditgate nothing was lost, billed twice or overspent, and everything happened that should. */
  readonly clean: boolean;
  /** What each customer saw, side by side. */
  readonly table: readonly string[];
  readonly verdict: readonly string[];
  readonly groups: readonly Customers[];
}

/** Runs the four scenarios to both chats at the same time, waits for the bills, and compares them with what was served. */
export async function runDemo(setup: Setup, screen: Screen, signal: AbortSignal): Promise<Outcome> {
  const groups = sides.map((side) => customersOf(side, setup, signal));
  const visitors = groups.flatMap((group) => group.visitors);
  for (const visitor of visitors) await visitor.arrive();
  const ours = groups.filter(({ isOurs }) => isOurs);

  const surprises: string[] = [];
  const scenarios = scenariosOf(setup.processes);
  const picture = new LivePicture(screen, groups);
  const both = (scenario: (run: Run, group: Customers) => Promise<void>) =>
    Promise.all(
      groups.map((group) => scenario({ picture, signal, surprises: group.isOurs ? surprises : [] }, group)),
    );
  try {
    screen.say(scenarios.chat);
    await both(chatScenario);
    screen.say(scenarios.race);
    await both(raceScenario);
    screen.say(scenarios.stop);
    await both(stopScenario);
    screen.say(scenarios.outage);
    await outageScenario({ picture, signal, surprises }, groups, {
      gateway: setup.gateway,
      chats: setup.chats,
    });
    picture.progress = { label: "waiting until everything is settled", done: 1, of: 1 };
    const certain = ours.flatMap((group) => group.visitors);
    await settled(visitors, signal, certain);
  } finally {
    picture.end();
  }

  for (const { team } of ours)
    if (team.left !== 0) surprises.push(`team: expected an empty wallet, received ${inCredits(team.left)}`);
  const verdicts = groups.map((group) => ({
    name: group.side.name,
    group,
    verdict: verdictOn(group.visitors),
  }));
  const clean =
    surprises.length === 0 && verdicts.every(({ group, verdict }) => !group.isOurs || isClean(verdict));
  const lines = verdictLines(verdicts);
  return {
    clean,
    table: tableOf(groups),
    verdict: [...lines, ...Array.from(new Set(surprises), unexpected).slice(0, 3)],
    groups,
  };
}

/** In a line of the screen. */
function unexpected(surprise: string): string {
  return `unexpected: ${surprise}`.slice(0, 80);
}
