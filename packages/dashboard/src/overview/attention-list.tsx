import type { AdminGate, Attention, Counted, SettlementState, UrgentWallet } from "@creditgate/admin";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { describeWallet } from "../customers/wallet.ts";
import { formatCount } from "../parts/amounts.ts";
import { Icon } from "../parts/icon.tsx";
import { describeWaiting } from "./queries.ts";

/** What is known of what an operator should look at. */
interface Known {
  readonly attention: Attention;
  readonly settlement: SettlementState | undefined;
  readonly exhausted: readonly UrgentWallet[];
  readonly low: readonly UrgentWallet[];
  readonly gates: readonly AdminGate[];
  /** Milliseconds; ages are shown as of then. */
  readonly now: number;
}

/** Something that an operator should look at. */
interface Matter {
  readonly key: string;
  readonly isUrgent: boolean;
  readonly title: string;
  readonly detail: string;
  readonly link?: ReactNode;
}

/** What an operator should look at, the most urgent first. */
export function AttentionList({ matters }: { readonly matters: readonly Matter[] }) {
  if (matters.length === 0) {
    return (
      <p className="calm small">
        <Icon name="check" className="good" />
        Nothing needs attention. Exhausted wallets, unbilled usage and failing webhooks appear here.
      </p>
    );
  }
  return (
    <ul className="todo">
      {matters.map(({ key, isUrgent, title, detail, link }) => (
        <li key={key}>
          <span className={isUrgent ? "bad" : "warn"}>
            <Icon name={isUrgent ? "alert" : "warning"} />
          </span>
          <div>
            <h3>
              <span className="unseen">{isUrgent ? "Urgent: " : "Soon: "}</span>
              {title}
            </h3>
            <p>{detail}</p>
          </div>
          {link}
        </li>
      ))}
    </ul>
  );
}

/** The most urgent first. */
export function mattersOf(
  organizationId: string,
  { attention, settlement, exhausted, low, gates, now }: Known,
): readonly Matter[] {
  const walletOf = (wallet: UrgentWallet, title: string): Matter => ({
    key: `${wallet.urgency} ${wallet.customerId} ${wallet.creditCurrencyKey}`,
    isUrgent: wallet.urgency === "exhausted",
    title,
    detail: `${describeWallet(wallet)}, in ${wallet.creditCurrencyKey}.`,
    link: (
      <Link
        className="link"
        to="/organizations/$organizationId/customers/$customerId"
        params={{ organizationId, customerId: wallet.customerId }}
        search={{ wallet: wallet.creditCurrencyKey }}
        aria-label={`Open: ${title}`}
      >
        Open
      </Link>
    ),
  });
  const some = (
    counted: Counted,
    isUrgent: boolean,
    one: string,
    many: string,
    detail: string,
    to: AreaProps["to"],
    search: AreaProps["search"] = {},
  ): Matter[] => {
    const title = counted.count === 1 ? one : `${formatCounted(counted)} ${many}`;
    const link = <AreaLink organizationId={organizationId} to={to} search={search} title={title} />;
    return counted.count === 0 ? [] : [{ key: many, isUrgent, title, detail, link }];
  };
  const waiting = settlement === undefined ? "" : describeWaiting(settlement, now);
  return [
    ...deadAt(gates).flatMap(({ name, count }) =>
      some(
        { count, more: false },
        true,
        `1 dead report at ${name}`,
        `dead reports at ${name}`,
        "Rejected, and billed to no customer. Fix the cause, then retry.",
        "/organizations/$organizationId/gates",
      ),
    ),
    ...exhausted.map((wallet) => walletOf(wallet, `${wallet.customerName} is out of credits`)),
    ...some(
      less(attention.exhausted, exhausted.length),
      true,
      "1 more wallet is exhausted",
      "more wallets are exhausted",
      "Requests of these customers are denied until a top-up.",
      "/organizations/$organizationId/customers",
    ),
    ...some(
      attention.settlementFailures,
      true,
      "1 report could not be settled",
      "reports could not be settled",
      "Retried every minute. The control plane’s log shows the cause.",
      "/organizations/$organizationId/usage",
      { outcome: "unsettled" },
    ),
    ...some(
      attention.periodFailures,
      true,
      "1 period could not be invoiced",
      "periods could not be invoiced",
      "Retried automatically. The control plane’s log shows the cause.",
      "/organizations/$organizationId/orders",
    ),
    ...some(
      attention.outOfRange,
      true,
      "1 report is out of range",
      "reports are out of range",
      "Their amounts exceed what a wallet can hold. Recorded, not billed.",
      "/organizations/$organizationId/usage",
      { outcome: "out_of_range" },
    ),
    ...some(
      attention.walletMissing,
      false,
      "1 report has no wallet",
      "reports have no wallet",
      "The customers have no wallet in this currency. Create one to settle the usage.",
      "/organizations/$organizationId/usage",
      { outcome: "wallet_missing" },
    ),
    ...some(
      { count: settlement?.isLate ? 1 : 0, more: false },
      false,
      waiting,
      "late",
      "Usually under 5 s. Balances lag by as much; gates account for unsettled usage.",
      "/organizations/$organizationId/usage",
      { outcome: "unsettled" },
    ),
    ...some(
      attention.webhooksDisabled,
      false,
      "1 webhook is disabled",
      "webhooks are disabled",
      "The endpoint failed for days and receives no events.",
      "/organizations/$organizationId/webhooks",
    ),
    ...some(
      attention.deliveriesGivenUp,
      false,
      "1 event was not delivered",
      "events were not delivered",
      "The endpoint failed for two days. You can resend the event.",
      "/organizations/$organizationId/webhooks",
    ),
    ...low.map((wallet) => walletOf(wallet, `${wallet.customerName} is low on credits`)),
    ...some(
      less(attention.low, low.length),
      false,
      "1 more wallet is low on credits",
      "more wallets are low on credits",
      "Below the threshold, in overage, or over 90 % of the limit.",
      "/organizations/$organizationId/customers",
    ),
  ];
}

interface AreaProps {
  readonly organizationId: string;
  readonly to: `/organizations/$organizationId/${"customers" | "usage" | "orders" | "webhooks" | "gates"}`;
  readonly search: { readonly outcome?: "unsettled" | "out_of_range" | "wallet_missing" };
  readonly title: string;
}

/** Leads to the page where something can be done about it. */
function AreaLink({ organizationId, to, search, title }: AreaProps) {
  return (
    <Link className="link" to={to} params={{ organizationId }} search={search} aria-label={`Open: ${title}`}>
      Open
    </Link>
  );
}

/** Reports that gates have set aside for good, by the name of the gate. */
function deadAt(gates: readonly AdminGate[]): readonly { readonly name: string; readonly count: number }[] {
  return [...new Set(gates.map(({ name }) => name))].map((name) => ({
    name,
    count: gates.reduce((sum, gate) => (gate.name === name ? sum + gate.dead : sum), 0),
  }));
}

/** How many there are beside those that are shown. */
function less({ count, more }: Counted, shown: number): Counted {
  return { count: Math.max(0, count - shown), more };
}

export function formatCounted({ count, more }: Counted): string {
  return more ? `${formatCount(count)} or more` : formatCount(count);
}
