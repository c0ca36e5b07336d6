import type { GateDecisions } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { formatCount } from "../parts/credits.ts";
import { countOf, shareOf } from "./application.ts";

/** The codes of denials, and whether they say that the customer cannot pay or that the gate cannot tell. */
const reasons: Readonly<Record<string, readonly [words: string, status: 401 | 402 | 503]>> = {
  insufficient_credits: ["Not enough credits", 402],
  wallet_missing: ["No wallet in this currency", 402],
  customer_unknown: ["Customer not known", 402],
  customer_unresolved: ["Nobody named", 401],
  upstream_unavailable: ["Balance could not be read", 503],
  upstream_invalid: ["Balance could not be understood", 503],
  ledger_unavailable: ["Shared ledger away", 503],
  wallet_mismatch: ["Wallet of another kind", 503],
  unbillable: ["Agent or indicator not known", 503],
  outbox_full: ["Outbox full", 503],
  over_capacity: ["Too many customers at once", 503],
  closing: ["Shutting down", 503],
};

export function DenialBars({
  decisions,
  label,
}: {
  readonly decisions: readonly GateDecisions[];
  readonly label: string;
}): ReactNode {
  const denials = decisions.filter(({ code }) => code !== null);
  const total = countOf(denials);
  const codes = [...new Set(denials.map(({ code }) => code ?? ""))]
    .map((code) => ({ code, count: countOf(denials.filter((one) => one.code === code)) }))
    .sort((one, other) => other.count - one.count);
  return (
    <section className="section" aria-labelledby="denials">
      <header>
        <h2 id="denials">Denials, by reason</h2>
        <span className="end quiet">
          {formatCount(total)} in {label}
        </span>
      </header>
      {total === 0 && <p className="quiet small">Nobody has been denied.</p>}
      <ul className="bars">
        {codes.map(({ code, count }) => {
          const [words, status] = reasons[code] ?? [code, 503];
          return (
            <li key={code}>
              <span>
                {words} <code className="quiet">{status}</code>
              </span>
              <span className="n">
                <b>{formatCount(count)}</b>
                <span className="quiet">{shareOf(count, total)}</span>
              </span>
              <svg aria-hidden="true" viewBox="0 0 100 5" preserveAspectRatio="none">
                <rect className="track" width="100" height="5" rx="2" />
                <rect
                  className={status === 503 ? "b503" : "b402"}
                  width={(100 * count) / total}
                  height="5"
                  rx="2"
                />
              </svg>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
