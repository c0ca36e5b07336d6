import { inCredits } from "./credits.ts";
import type { Visitor } from "./visitor.ts";

/** What became of the credits of one side's customers, in micro-credits. */
export interface Verdict {
  /** Answers, those that were stopped too. */
  readonly served: number;
  /** What the visitors received, by their own count. */
  readonly worth: number;
  /** What the wallets have paid, by the control plane's balances. */
  readonly billed: number;
  /** Received or billed beyond what a wallet could pay. */
  readonly overspent: number;
  /** Received and not billed. */
  readonly lost: number;
  /** Billed and not received. */
  readonly overbilled: number;
  /** Requests that were denied although the wallet could have paid. */
  readonly deniedWrongly: number;
}

/** Of a visitor, what it saw and what its wallet says. */
export type Books = Pick<
  Visitor,
  "served" | "stopped" | "deniedWrongly" | "worth" | "unheard" | "funds" | "billed"
>;

/** Compares, wallet by wallet, so that one's loss is not made up for by another's. */
export function verdictOn(visitors: readonly Books[]): Verdict {
  const sum = (amount: (books: Books) => number) =>
    visitors.reduce((total, visitor) => total + amount(visitor), 0);
  return {
    served: sum(({ served, stopped }) => served + stopped),
    worth: sum(({ worth }) => worth),
    billed: sum(({ billed }) => billed),
    overspent: sum(({ worth, billed, funds }) => Math.max(0, Math.max(worth, billed) - funds)),
    lost: sum(({ worth, billed }) => Math.max(0, worth - billed)),
    overbilled: sum(({ worth, unheard, billed }) => Math.max(0, billed - worth - unheard)),
    deniedWrongly: sum(({ deniedWrongly }) => deniedWrongly),
  };
}

export function isClean({ lost, overbilled, overspent }: Verdict): boolean {
  return lost === 0 && overbilled === 0 && overspent === 0;
}

/** The verdict for people: a line for each thing that can go wrong, a column for each side. */
export function verdictLines(
  sides: readonly { readonly name: string; readonly verdict: Verdict }[],
): string[] {
  const line = (what: string, figure: (verdict: Verdict) => string, meaning: string) =>
    `${what.padEnd(15)}${sides.map(({ verdict }) => figure(verdict).padStart(12)).join("")}  ${meaning}`;
  const lines = [
    `${"".padEnd(15)}${sides.map(({ name }) => name.padStart(12)).join("")}`,
    line("answers", ({ served }) => `${served}`, "that the customers received"),
    line("overspent", ({ overspent }) => inCredits(overspent), "credits, beyond what wallets can pay"),
    line("lost", ({ lost }) => inCredits(lost), "credits, served and never billed"),
    line("denied wrongly", ({ deniedWrongly }) => `${deniedWrongly}`, "requests of customers who can pay"),
  ];
  if (sides.some(({ verdict }) => verdict.overbilled > 0))
    lines.push(line("overbilled", ({ overbilled }) => inCredits(overbilled), "credits, never served"));
  return lines;
}
