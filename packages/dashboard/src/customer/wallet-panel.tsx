import type { AdminCustomer, AdminWallet } from "@creditgate/admin";
import { useId } from "react";
import { useMay } from "../api/account.ts";
import { useAnswer } from "../api/query.ts";
import { currenciesQuery } from "../customers/queries.ts";
import { readWallet, tones } from "../customers/wallet.ts";
import { ZeroLine } from "../customers/zero-line.tsx";
import { costOf, formatCredits, toMicro } from "../parts/amounts.ts";
import { Badge } from "../parts/badge.tsx";
import { DialogButton } from "../parts/dialog-button.tsx";
import { AutoTopUpDialog } from "./auto-top-up-dialog.tsx";
import { LimitsDialog } from "./limits-dialog.tsx";

/** A wallet: its figure, its line, and what they are made of. */
export function WalletPanel({ customer, wallet }: { customer: AdminCustomer; wallet: AdminWallet }) {
  const id = useId();
  const mayChange = useMay("money");
  const { figure, nearness } = readWallet(wallet);
  const { kind, creditCurrencyKey: currency } = wallet;
  const { data: currencies = [] } = useAnswer(currenciesQuery);
  const cost = kind === "postpaid" ? costOf(toMicro(wallet.postpaidUsed), currencies, currency) : undefined;
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
            {kind === "prepaid" && wallet.overageUsed > 0 ? "In overage" : "Near its limit"}
          </Badge>
        )}
        {mayChange && (
          <div className="end acts">
            {kind === "prepaid" && (
              <DialogButton text="Auto top-up" look="sm" unseen={`of ${currency}`}>
                <AutoTopUpDialog customer={customer} wallet={wallet} />
              </DialogButton>
            )}
            <DialogButton text="Set limits" look="sm" unseen={`of ${currency}`}>
              <LimitsDialog customer={customer} wallet={wallet} />
            </DialogButton>
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
            <dd className={name === owed && wallet.overageUsed > 0 ? tones[nearness] : ""}>{value}</dd>
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
      : `credits used, of at most ${formatCredits(wallet.postpaidLimit)}`;
  }
  if (wallet.overageLimit === 0) return "credits";
  return left === 0
    ? "credits; nothing more can be spent"
    : `credits; ${formatCredits(left ?? 0)} can be spent`;
}

function parts(wallet: AdminWallet): readonly (readonly [string, string])[] {
  const { available, pending, overageUsed, overageLimit, unsettled = 0, lowThreshold, autoTopUp } = wallet;
  const { left } = readWallet(wallet);
  const always: (readonly [string, string])[] =
    wallet.kind === "prepaid"
      ? [
          ["Available", formatCredits(available)],
          [owed, `${formatCredits(overageUsed)} of ${formatCredits(overageLimit)}`],
          ["Pending", formatCredits(pending)],
        ]
      : [
          ["Used", formatCredits(wallet.postpaidUsed)],
          ["Left", left === undefined ? "no limit" : formatCredits(left)],
        ];
  return [
    ...always,
    ...(unsettled > 0 ? [["Not settled yet", formatCredits(unsettled)] as const] : []),
    ...(autoTopUp === undefined || autoTopUp === null
      ? []
      : [
          [
            "Auto top-up",
            `${formatCredits(autoTopUp.credits)} below ${formatCredits(autoTopUp.below)}`,
          ] as const,
        ]),
    ...(lowThreshold === null ? [] : [["Low below", formatCredits(lowThreshold)] as const]),
  ];
}
