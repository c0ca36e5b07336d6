import { inCredits } from "./credits.ts";
import type { Visitor } from "./visitor.ts";

/** What became of everyone's credits, in micro-credits. */
export interface Verdict {
  readonly served: number;
  readonly denied: number;
  /** What the visitors received, by their own count. */
  readonly worth: number;
  /** What the wallets have paid, by the control plane's balances. */
  readonly billed: number;
  /** Received and not billed. */
  readonly lost: number;
  /** Billed and not received. */
  readonly overbilled: number;
  /** Received or billed beyond what a wallet could pay. */
  readonly overspent: number;
}

/** Of a visitor, what it saw (`served`, `denied`, `worth`) and what its wallet says (`funds`, `billed`). */
export type Books = Pick<Visitor, "served" | "denied" | "worth" | "funds" | "billed">;

/** Compares, wallet by wallet, so that one's loss is not made up for by another's. */
export function verdictOn(visitors: readonly Books[]): Verdict {
  const sum = (amount: (books: Books) => number) =>
    visitors.reduce((total, visitor) => total + amount(visitor), 0);
  return {
    served: sum(({ served }) => served),
    denied: sum(({ denied }) => denied),
    worth: sum(({ worth }) => worth),
    billed: sum(({ billed }) => billed),
    lost: sum(({ worth, billed }) => Math.max(0, worth - billed)),
    overbilled: sum(({ worth, billed }) => Math.max(0, billed - worth)),
    overspent: sum(({ worth, billed, funds }) => Math.max(0, Math.max(worth, billed) - funds)),
  };
}

export function isClean({ lost, overbilled, overspent }: Verdict): boolean {
  return lost === 0 && overbilled === 0 && overspent === 0;
}

/** The verdict for people, and where each figure comes from. */
export function verdictLines(verdict: Verdict): string[] {
  const { served, denied, worth, billed, lost, overbilled, overspent } = verdict;
  const lines: [string, string, string][] = [
    ["served", `${served}`, `answers, worth ${inCredits(worth)} credits: the clients counted the words`],
    ["denied", `${denied}`, "requests with 402, before any work was done"],
    ["billed", inCredits(billed), "credits: the control plane's balances, before and after"],
    ["lost", inCredits(lost), "credits served and not billed"],
    ["overspent", inCredits(overspent), "credits beyond what the wallets could pay"],
  ];
  if (overbilled > 0) lines.push(["overbilled", inCredits(overbilled), "credits billed and not served"]);
  return lines.map(([what, figure, meaning]) => `   ${what.padEnd(10)} ${figure.padStart(8)}  ${meaning}`);
}
