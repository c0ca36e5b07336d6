import { inCredits } from "./credits.ts";
import type { Visitor } from "./visitor.ts";

/** What became of the credits of one side's customers, in micro-credits. */
export interface Verdict {
  /** What the visitors received, by their own count. */
  readonly worth: number;
  /** What of that the wallets could pay and have paid. */
  readonly paid: number;
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
export type Books = Pick<Visitor, "deniedWrongly" | "worth" | "unread" | "funds" | "billed">;

/** Compares, wallet by wallet, so that one's loss is not made up for by another's. */
export function verdictOn(visitors: readonly Books[]): Verdict {
  const sum = (amount: (books: Books) => number) =>
    visitors.reduce((total, visitor) => total + amount(visitor), 0);
  return {
    worth: sum(({ worth }) => worth),
    paid: sum(({ worth, billed, funds }) => Math.min(worth, billed, funds)),
    overspent: sum(({ worth, billed, funds }) => Math.max(0, Math.max(worth, billed) - funds)),
    lost: sum(({ worth, billed }) => Math.max(0, worth - billed)),
    overbilled: sum(({ worth, unread, billed }) => Math.max(0, billed - worth - unread)),
    deniedWrongly: sum(({ deniedWrongly }) => deniedWrongly),
  };
}

export function isClean({ lost, overbilled, overspent }: Verdict): boolean {
  return lost === 0 && overbilled === 0 && overspent === 0;
}

/** The verdict for people: a row for each thing that can go wrong, a column for each side, and a mark in each cell. */
export function verdictLines(
  sides: readonly { readonly name: string; readonly verdict: Verdict }[],
): string[] {
  const row = (what: string, cell: (verdict: Verdict) => readonly [figure: string, isRight: boolean]) =>
    `${what.padEnd(46)}${sides
      .map(({ verdict }) => {
        const [figure, isRight] = cell(verdict);
        return `${figure.padStart(13)} ${isRight ? "✓" : "✗"}`;
      })
      .join("")}`;
  const credits = (amount: number) => [inCredits(amount), amount === 0] as const;
  const lines = [
    `${"verdict, in credits".padEnd(46)}${sides.map(({ name }) => `${name.padStart(13)}  `).join("")}`.trimEnd(),
    row("work that was paid for", ({ worth, paid }) => [
      `${worth === 0 ? 100 : Math.floor((100 * paid) / worth)} %`,
      paid === worth,
    ]),
    row("spent beyond what the wallets can pay", ({ overspent }) => credits(overspent)),
    row("served and never billed", ({ lost }) => credits(lost)),
    row("requests denied although the customer can pay", ({ deniedWrongly }) => [
      `${deniedWrongly}`,
      deniedWrongly === 0,
    ]),
  ];
  if (sides.some(({ verdict }) => verdict.overbilled > 0))
    lines.push(row("billed and never served", ({ overbilled }) => credits(overbilled)));
  return lines;
}
