import { setTimeout as delay } from "node:timers/promises";
import { inCredits } from "./credits.ts";
import type { LivePicture } from "./live-picture.ts";
import type { Screen } from "./screen.ts";
import { settled } from "./settled.ts";
import { settlementLagMs } from "./stage.ts";
import type { Reply, Visitor } from "./visitor.ts";

/** What an act needs, and where it says what did not go as it should. */
export interface Play {
  readonly screen: Screen;
  readonly picture: LivePicture;
  readonly signal: AbortSignal;
  readonly surprises: string[];
}

/** Pays in advance, chats until told to pay, tops up, and is served by the very next request. */
export async function prepaidAct(play: Play, alice: Visitor): Promise<void> {
  const { screen, surprises } = play;
  screen.say(
    screen.bold(`\n1  ${alice.id} has paid ${inCredits(alice.funds)} credits in advance, and chats`),
  );
  await chatUntilDenied(play, alice);

  await alice.topUp(3);
  screen.say("   topped up by 3.00 credits, and the very next request is …");
  const next = await alice.ask("Thank you. What did I just pay for, in 60 words?");
  screen.say(`   … ${next.status}`);
  if (next.status !== "served")
    surprises.push(`${alice.id}: expected to be served after the top-up, ${told(next)}`);
  await play.picture.keep();
}

/** Pays at the end of the month, up to a limit. */
export async function postpaidAct(play: Play, bob: Visitor): Promise<void> {
  const { screen } = play;
  screen.say(screen.bold(`2  ${bob.id} is invoiced later, up to ${inCredits(bob.funds)} credits, and chats`));
  await chatUntilDenied(play, bob);
  await play.picture.keep();
}

const crowdSize = 200;

/** Many requests at the same moment, on a wallet that can pay for a quarter of them. */
export async function crowdAct(play: Play, team: Visitor): Promise<void> {
  const { screen, picture, surprises } = play;
  const affordable = team.funds / 1e6;
  screen.say(
    screen.bold(
      `3  ${team.id} asks ${crowdSize} times at once, with ${inCredits(team.funds)} credits for answers of 1.00`,
    ),
  );
  let answered = 0;
  const replies = await Promise.all(
    Array.from({ length: crowdSize }, async (_, at) => {
      const reply = await team.ask(`Question ${at + 1}: explain credits in 100 words.`);
      answered += 1;
      picture.progress = { label: `${answered} of ${crowdSize} answered`, done: answered, of: crowdSize };
      return reply;
    }),
  );
  for (const reply of replies) if (reply.status === "failed") surprises.push(`${team.id}: ${reply.reason}`);
  screen.say(`   ${team.served} served, ${team.denied} denied`);
  if (team.served !== affordable || team.denied !== crowdSize - affordable) {
    surprises.push(
      `${team.id}: expected ${affordable} served and ${crowdSize - affordable} denied, ` +
        `received ${team.served} and ${team.denied}`,
    );
  }
}

const questions = [
  "What is a credit, in 80 words?",
  "And who keeps count of them? Please explain in 95 words.",
  "Can I spend the same credit twice? 60 words will do.",
  "What happens when I run out, in 75 words?",
  "Tell me more, in 90 words.",
];

/** Long enough for any wallet of this demo. */
const patience = 20;

async function chatUntilDenied(play: Play, visitor: Visitor): Promise<void> {
  const { screen, picture, signal, surprises } = play;
  const spent = visitor.worth;
  for (let asked = 0; asked < patience; asked++) {
    const reply = await visitor.ask(questions[asked % questions.length] ?? "");
    const paid = visitor.worth - spent;
    picture.progress = { label: `${inCredits(paid)} credits spent`, done: paid, of: visitor.funds };
    if (reply.status === "failed") return void surprises.push(`${visitor.id}: ${told(reply)}`);
    if (reply.status === "served") continue;

    const left = visitor.funds - visitor.worth;
    if (left < reply.required) {
      screen.say(
        `   ${visitor.served} answers later: 402, for the next may cost ${inCredits(reply.required)} ` +
          `and ${inCredits(left)} are left`,
      );
      return;
    }
    // A debit that came between the same two balances as a top-up cannot be told from it, and counts twice, to be on the
    // safe side, until the lag is over.
    screen.say("   402 while usage is being settled: waiting for that, then asking again");
    await settled([visitor], signal);
    await delay(settlementLagMs, undefined, { signal });
  }
  surprises.push(`${visitor.id}: expected to be denied within ${patience} requests`);
}

function told(reply: Reply): string {
  return reply.status === "failed" ? `received ${reply.reason}` : `received "${reply.status}"`;
}
