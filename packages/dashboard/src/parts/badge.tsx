import type { ReactNode } from "react";
import { keyOf } from "./address.ts";
import { Icon, type IconName } from "./icon.tsx";

const icons: Readonly<Record<string, IconName>> = { good: "check", warn: "warning", bad: "alert" };

interface BadgeProps {
  readonly tone?: "good" | "warn" | "bad" | "accent" | "line";
  /** @default the one of the tone */
  readonly icon?: IconName | undefined;
  readonly children: ReactNode;
}

/** A word with a shape, and only then a colour. */
export function Badge({ tone, icon = icons[tone ?? ""], children }: BadgeProps) {
  return (
    <span className={tone === undefined ? "badge" : `badge ${tone}`}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </span>
  );
}

/** The state that needs no one, in a list: quieter than a badge, so that the others are seen. */
export function Fine({ children }: { readonly children: ReactNode }) {
  return (
    <span className="state good">
      <Icon name="fine" />
      {children}
    </span>
  );
}

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
  return known === undefined ? (outcome ?? "Unsettled") : outcomes[known].words;
}

/** What has become of a report. */
export function Outcome({ outcome }: { readonly outcome: string | null }) {
  const known = keyOf(outcomes, outcome);
  const { icon, tone } = known === undefined ? ({ icon: "clock", tone: "off" } as const) : outcomes[known];
  return (
    <span className={`state ${tone}`}>
      <Icon name={icon} />
      {outcomeWords(outcome)}
    </span>
  );
}
