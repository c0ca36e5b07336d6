import type { GateDecisions } from "@creditgate/admin";
import { keyOf } from "../parts/address.ts";
import { formatCount } from "../parts/amounts.ts";
import { LegendKey, ShareBar } from "../parts/legend.tsx";
import { Section } from "../parts/page.tsx";
import { countOf, shareOf } from "./application.ts";

/** The codes of denials, and whether they say that the customer cannot pay or that the gate cannot decide. */
const reasons = {
  insufficient_credits: ["Not enough credits", 402],
  budget_exceeded: ["Budget exceeded", 402],
  budget_unknown: ["No budget for this key", 402],
  wallet_missing: ["No wallet in this currency", 402],
  customer_unknown: ["Unknown customer", 402],
  customer_unresolved: ["No customer in the request", 401],
  upstream_unavailable: ["Balance could not be read", 503],
  upstream_invalid: ["Balance response invalid", 503],
  ledger_unavailable: ["Shared ledger unavailable", 503],
  wallet_mismatch: ["Wrong wallet kind", 503],
  unbillable: ["Usage rejected by the service", 503],
  outbox_full: ["Outbox full", 503],
  outbox_unavailable: ["Outbox unavailable", 503],
  over_capacity: ["Over capacity", 503],
  closing: ["Shutting down", 503],
} as const satisfies Readonly<Record<string, readonly [words: string, status: 401 | 402 | 503]>>;

export function DenialBars({ decisions, label }: { decisions: readonly GateDecisions[]; label: string }) {
  const denials = decisions.filter(({ code }) => code !== null);
  const total = countOf(denials);
  const codes = [...new Set(denials.map(({ code }) => code ?? ""))]
    .map((code) => ({ code, count: countOf(denials.filter((one) => one.code === code)) }))
    .sort((one, other) => other.count - one.count);
  const most = Math.max(1, ...codes.map(({ count }) => count));
  return (
    <Section
      id="denials"
      title="Denials, by reason"
      end={<span className="end quiet">{`${formatCount(total)} in ${label}`}</span>}
    >
      {total === 0 && <p className="quiet small">No requests denied.</p>}
      <ul className="bars">
        {codes.map(({ code, count }) => {
          // A gate says what it likes: constructor is a code, too.
          const known = keyOf(reasons, code);
          const [words, status] = known === undefined ? [code, 503] : reasons[known];
          return (
            <ShareBar
              key={code}
              name={
                <>
                  {words} <code className="quiet">{status}</code>
                </>
              }
              count={<b>{formatCount(count)}</b>}
              share={shareOf(count, total)}
              look={status === 503 ? "b503" : "b402"}
              width={count / most}
            />
          );
        })}
      </ul>
      {total > 0 && (
        <ul className="legend">
          <LegendKey look="b402">402, cannot pay</LegendKey>
          <LegendKey look="b503">503, cannot decide</LegendKey>
        </ul>
      )}
    </Section>
  );
}
