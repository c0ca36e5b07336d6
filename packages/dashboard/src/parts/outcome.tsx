import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";
import { keyOf } from "./key-of.ts";

const outcomes = {
  debited: { words: "Debited", icon: "fine", tone: "good" },
  accrued: { words: "Accrued", icon: "fine", tone: "good" },
  free: { words: "Free", icon: "fine", tone: "off" },
  not_credits: { words: "Not in credits", icon: "fine", tone: "off" },
  wallet_missing: { words: "No wallet", icon: "warning", tone: "warn" },
  out_of_range: { words: "Out of range", icon: "alert", tone: "bad" },
} as const satisfies Readonly<
  Record<string, { readonly words: string; readonly icon: IconName; readonly tone: string }>
>;

/** What has become of a report, in a word. */
export function outcomeWords(outcome: string | null): string {
  const known = keyOf(outcomes, outcome);
  return known === undefined ? (outcome ?? "Waiting") : outcomes[known].words;
}

/** What has become of a report. */
export function Outcome({ outcome }: { readonly outcome: string | null }): ReactNode {
  const known = keyOf(outcomes, outcome);
  const { icon, tone } = known === undefined ? ({ icon: "clock", tone: "off" } as const) : outcomes[known];
  return (
    <span className={`state ${tone}`}>
      <Icon name={icon} />
      {outcomeWords(outcome)}
    </span>
  );
}
