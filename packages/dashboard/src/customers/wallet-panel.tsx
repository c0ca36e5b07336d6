import type { AdminWallet } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useMay, useOrganizationId } from "../api/account.ts";
import { costOf, formatCredits, toMicro } from "../parts/amounts.ts";
import { Badge } from "../parts/badge.tsx";
import { TextButton } from "../parts/button.tsx";
import { currenciesQuery } from "./queries.ts";
import { readWallet, tones } from "./wallet.ts";
import { ZeroLine } from "./zero-line.tsx";

interface WalletPanelProps {
  readonly wallet: AdminWallet;
  readonly onSetLimits: () => void;
  readonly onAutoTopUp: () => void;
}

/** A wallet: its figure, its line, and what they are made of. */
export function WalletPanel({ wallet, onSetLimits, onAutoTopUp }: WalletPanelProps) {
  const id = useId();
  const mayChange = useMay("money");
  const { figure, nearness } = readWallet(wallet);
  const { kind, credit_currency_key: currency } = wallet;
  const { data: currencies = [] } = useQuery(currenciesQuery(useOrganizationId()));
  const cost = kind === "postpaid" ? costOf(toMicro(wallet.postpaid_used), currencies, currency) : undefined;
  const next = cost === undefined ? [] : [["Next invoice", `about ${cost}`] as const];
  return (
    <section className="panel wallet" aria-labelledby={id}>
      <header>
        <h2 id={id} className="mono">
          {currency}
        </h2>
        <Badge>{kind === "prepaid" ? "Prepaid" : "Postpaid"}</Badge>
        {nearness === "now" && <Badge tone="bad">Exhausted</Badge>}
        {nearness === "soon" && (
          <Badge tone="warn">
            {kind === "prepaid" && wallet.overage_used > 0 ? "In overage" : "Near its limit"}
          </Badge>
        )}
        {mayChange && (
          <div className="end acts">
            {kind === "prepaid" && (
              <TextButton text="Auto top-up" look="sm" unseen={`of ${currency}`} onPress={onAutoTopUp} />
            )}
            <TextButton text="Set limits" look="sm" unseen={`of ${currency}`} onPress={onSetLimits} />
          </div>
        )}
      </header>
      <p className={`amount ${tones[nearness]}`}>
        {formatCredits(figure)} <small>{words(wallet)}</small>
      </p>
      <ZeroLine wallet={wallet} />
      <dl className="split">
        {[...parts(wallet), ...next].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>{" "}
            <dd className={name === owed && wallet.overage_used > 0 ? tones[nearness] : ""}>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const owed = "Overage used";

function words(wallet: AdminWallet): string {
  const { left } = readWallet(wallet);
  if (wallet.kind === "postpaid") {
    return left === undefined
      ? "credits used, no limit"
      : `credits used, of at most ${formatCredits(wallet.postpaid_limit)}`;
  }
  if (wallet.overage_limit === 0) return "credits";
  return left === 0
    ? "credits; nothing more can be spent"
    : `credits; ${formatCredits(left ?? 0)} can be spent`;
}

function parts(wallet: AdminWallet): readonly (readonly [string, string])[] {
  const {
    available,
    pending,
    overage_used,
    overage_limit,
    unsettled = 0,
    low_threshold,
    auto_top_up,
  } = wallet;
  const { left } = readWallet(wallet);
  const always: (readonly [string, string])[] =
    wallet.kind === "prepaid"
      ? [
          ["Available", formatCredits(available)],
          [owed, `${formatCredits(overage_used)} of ${formatCredits(overage_limit)}`],
          ["Pending", formatCredits(pending)],
        ]
      : [
          ["Used", formatCredits(wallet.postpaid_used)],
          ["Left", left === undefined ? "no limit" : formatCredits(left)],
        ];
  return [
    ...always,
    ...(unsettled > 0 ? [["Not settled yet", formatCredits(unsettled)] as const] : []),
    ...(auto_top_up === undefined || auto_top_up === null
      ? []
      : [
          [
            "Auto top-up",
            `${formatCredits(auto_top_up.credits)} below ${formatCredits(auto_top_up.below)}`,
          ] as const,
        ]),
    ...(low_threshold === null ? [] : [["Low below", formatCredits(low_threshold)] as const]),
  ];
}
