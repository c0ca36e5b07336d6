/** A figure that is to be at most the target, or at least. */
interface Judged {
  readonly what: string;
  readonly figure: number;
  readonly target: number;
  readonly isAtLeast?: boolean;
  readonly unit?: string;
}

/** Prints whether the target is met. */
export function judge({ what, figure, target, isAtLeast = false, unit = "" }: Judged): void {
  const isWithin = isAtLeast ? figure >= target : figure <= target;
  const bound = isAtLeast ? "least" : "most";
  const shown = figure.toFixed(figure < 10 ? 2 : figure < 100 ? 1 : 0);
  console.log(
    `${isWithin ? "within" : "BEYOND"} the target: ${what} ${shown}${unit}, at ${bound} ${target}${unit}`,
  );
}
