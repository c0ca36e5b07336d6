import {
  type AdminCustomer,
  type AdminWallet,
  adminWallet,
  type WalletLimitsRequest,
} from "@creditgate/admin";
import { useId } from "react";
import { useEdit } from "../api/edit.ts";
import { useAnswer, useMay, useOrganization } from "../api/query.ts";
import { currenciesQuery, customerQueries } from "../customers/queries.ts";
import { readWallet, tones, walletLabels } from "../customers/wallet.ts";
import { ZeroLine } from "../customers/zero-line.tsx";
import { costOf, formatCredits, parseCredits, parseOptionalCredits, toMicro } from "../parts/amounts.ts";
import { Badge } from "../parts/badge.tsx";
import { amountFrom0, Field } from "../parts/field.tsx";
import { DialogButton, Effect, FormDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";
import { AutoTopUpDialog } from "./auto-top-up-dialog.tsx";

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
            {kind === "prepaid" && wallet.overageUsed > 0 ? "In overage" : "Near limit"}
          </Badge>
        )}
        {mayChange && (
          <div className="end acts">
            {kind === "prepaid" && (
              <DialogButton text="Auto top-up" look="sm" unseen={`of ${currency}`}>
                <AutoTopUpDialog customer={customer} wallet={wallet} />
              </DialogButton>
            )}
            <DialogButton text="Edit limits" look="sm" unseen={`of ${currency}`}>
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
      : `credits used of ${formatCredits(wallet.postpaidLimit)}`;
  }
  if (wallet.overageLimit === 0) return "credits";
  return left === 0 ? "credits; none can be spent" : `credits; ${formatCredits(left ?? 0)} can be spent`;
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
          ["Remaining", left === undefined ? "no limit" : formatCredits(left)],
        ];
  return [
    ...always,
    ...(unsettled > 0 ? [["Unsettled", formatCredits(unsettled)] as const] : []),
    ...(autoTopUp === undefined || autoTopUp === null
      ? []
      : [
          [
            "Auto top-up",
            `${formatCredits(autoTopUp.credits)} below ${formatCredits(autoTopUp.below)}`,
          ] as const,
        ]),
    ...(lowThreshold === null ? [] : [["Low-balance threshold", formatCredits(lowThreshold)] as const]),
  ];
}

/** Changes the limit of a wallet, and below which balance it is low. */
function LimitsDialog({ customer, wallet }: { customer: AdminCustomer; wallet: AdminWallet }) {
  const organization = useOrganization();
  const { kind, creditCurrencyKey: currency } = wallet;
  const isPrepaid = kind === "prepaid";
  const edit = useEdit({
    record: wallet,
    schema: adminWallet,
    valuesOf: (one) => ({
      limit: formatCredits(limitOf(one)),
      low: one.lowThreshold === null ? "" : formatCredits(one.lowThreshold),
    }),
    labels: walletLabels,
    send: (changed, seen) =>
      organization.wallets.setLimits(customer.externalId, currency, {
        ...seen,
        ...(changed.low === undefined ? {} : { lowThreshold: parseOptionalCredits(changed.low) }),
        ...(changed.limit === undefined ? {} : limitsOf(kind, parseCredits(changed.limit))),
      }),
    untrue: customerQueries,
    onDone: () => notify(`Limits of ${currency} saved`),
  });
  const before = limitOf(edit.record);
  const limit = parseCredits(edit.values.limit);
  const low = parseOptionalCredits(edit.values.low);
  return (
    <FormDialog
      title={`Limits of ${currency}`}
      action="Save limits"
      isReady={limit !== undefined && low !== undefined && edit.isChanged}
      form={edit}
      failure="The limits were not saved."
    >
      <Field
        {...edit.bind("limit")}
        label={isPrepaid ? walletLabels.overageLimit : walletLabels.postpaidLimit}
        unit="credits"
        isNumber
        autoFocus
        error={limit === undefined ? amountFrom0 : undefined}
        hint={
          isPrepaid
            ? "Credits that may be used beyond the balance."
            : "0 means no limit: requests are never denied."
        }
      />
      <Field
        {...edit.bind("low")}
        label={walletLabels.lowThreshold}
        unit="credits"
        isNumber
        error={low === undefined ? amountFrom0 : undefined}
        hint="A webhook is sent when the balance falls below it. Leave empty for the organization’s threshold."
      />
      <Effect>
        <p>
          {limit === undefined || limit === before
            ? "The limit does not change."
            : `The limit changes from ${formatCredits(before)} to ${formatCredits(limit)} credits immediately.`}
        </p>
      </Effect>
    </FormDialog>
  );
}

function limitsOf(kind: AdminWallet["kind"], limit: number | undefined): WalletLimitsRequest {
  return kind === "prepaid" ? { overageLimit: limit } : { postpaidLimit: limit };
}

function limitOf(wallet: AdminWallet): number {
  return wallet.kind === "prepaid" ? wallet.overageLimit : wallet.postpaidLimit;
}
