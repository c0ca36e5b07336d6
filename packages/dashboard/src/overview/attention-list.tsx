import type { AdminGate, Attention, Counted, SettlementState, UrgentWallet } from "@creditgate/admin";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { describeWallet } from "../customers/wallet.ts";
import { formatCount } from "../parts/amounts.ts";
import { Icon } from "../parts/icon.tsx";
import { describeWaiting } from "./settlement.ts";

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
        Nothing needs you. Wallets that run out, usage that cannot be billed and webhooks that fail come here.
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
        `One report is dead at ${name}`,
        `reports are dead at ${name}`,
        "Refused as it is, and billed to no customer: mend the cause, then try again.",
        "/organizations/$organizationId/gates",
      ),
    ),
    ...exhausted.map((wallet) => walletOf(wallet, `${wallet.customerName} is out of credits`)),
    ...some(
      less(attention.exhausted, exhausted.length),
      true,
      "One more wallet can pay nothing",
      "more wallets can pay nothing",
      "Their customers' requests are denied until they are topped up.",
      "/organizations/$organizationId/customers",
    ),
    ...some(
      attention.settlementFailures,
      true,
      "One report could not be settled",
      "reports could not be settled",
      "It is tried again each minute; the control plane's log says why.",
      "/organizations/$organizationId/usage",
      { outcome: "unsettled" },
    ),
    ...some(
      attention.periodFailures,
      true,
      "One period could not be invoiced",
      "periods could not be invoiced",
      "It is tried again; the control plane's log says why.",
      "/organizations/$organizationId/orders",
    ),
    ...some(
      attention.outOfRange,
      true,
      "One report is more than a wallet holds",
      "reports are more than a wallet holds",
      "They are recorded and not billed.",
      "/organizations/$organizationId/usage",
      { outcome: "out_of_range" },
    ),
    ...some(
      attention.walletMissing,
      false,
      "One report has no wallet to pay it",
      "reports have no wallet to pay them",
      "Their customers have no wallet in that currency. Open one: it is settled then.",
      "/organizations/$organizationId/usage",
      { outcome: "wallet_missing" },
    ),
    ...some(
      { count: settlement?.isLate ? 1 : 0, more: false },
      false,
      waiting,
      "late",
      "Under 5 s is usual. Balances run behind by as much; gates remember what is not settled.",
      "/organizations/$organizationId/usage",
      { outcome: "unsettled" },
    ),
    ...some(
      attention.webhooksDisabled,
      false,
      "One webhook is disabled",
      "webhooks are disabled",
      "It has not answered for days, and receives no more events.",
      "/organizations/$organizationId/webhooks",
    ),
    ...some(
      attention.deliveriesGivenUp,
      false,
      "One event was given up",
      "events were given up",
      "Its webhook has not answered for two days. It can be sent again.",
      "/organizations/$organizationId/webhooks",
    ),
    ...low.map((wallet) => walletOf(wallet, `${wallet.customerName} is near its end`)),
    ...some(
      less(attention.low, low.length),
      false,
      "One more wallet is near its end",
      "more wallets are near their end",
      "Below their threshold, on their credit line, or in the last tenth of their limit.",
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
