import type { AdminCurrency, AdminWallet, PeriodCloseAnswer } from "@creditgate/admin";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { organizationQuery, useAnswer, useMay, useOrganization, useOrganizationId } from "../api/query.ts";
import { currenciesQuery } from "../customers/queries.ts";
import { costOf, formatCount, formatCredits, toMicro } from "../parts/amounts.ts";
import { Choice } from "../parts/field.tsx";
import { ActionDialog, DialogButton, Effect, EffectPlace } from "../parts/form-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { CustomerLink } from "../parts/links.tsx";
import { Page } from "../parts/page.tsx";
import { None, Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Day } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { CreditNoteList } from "./credit-note-list.tsx";
import { InvoiceList } from "./invoice-list.tsx";
import { NewOrder } from "./order-dialog.tsx";
import { OrderList } from "./order-list.tsx";
import { RecordToolbar } from "./record-toolbar.tsx";
import { recordLists } from "./words.ts";

export function OrdersPage() {
  const { show } = useSearch({ from: "/shell/organizations/$organizationId/orders" });
  const mayChange = useMay("money");
  return (
    <Page
      title="Orders and invoices"
      actions={
        mayChange && (
          <>
            <DialogButton text="Close periods">
              <ClosePeriodsDialog />
            </DialogButton>
            <NewOrder />
          </>
        )
      }
    >
      <PeriodFailures />
      <Tabs
        label="Lists"
        shown={show}
        tabs={[
          { show: undefined, name: "Invoices" },
          { show: "orders", name: recordLists.orders },
          { show: "credit-notes", name: recordLists["credit-notes"] },
        ]}
      />
      <RecordToolbar />
      {show === undefined && <InvoiceList />}
      {show === "orders" && <OrderList />}
      {show === "credit-notes" && <CreditNoteList />}
    </Page>
  );
}

const periodFailuresQuery = organizationQuery("period-failures", ({ unbilled }, options) =>
  unbilled.periodFailures.list({ limit: 5 }, options),
);

/** Periods that could not be invoiced, and why; absent where there are none. */
function PeriodFailures() {
  const { data } = useAnswer(periodFailuresQuery);
  if (data === undefined || data.failures.length === 0) return null;
  return (
    <div className="note warn" role="status">
      <Icon name="warning" />
      <div>
        <b>Periods could not be invoiced.</b> They are retried automatically. No usage is lost.
        <ul className="plain">
          {data.failures.map((failure) => (
            <li key={`${failure.customerId} ${failure.creditCurrencyKey}`}>
              {failure.customerId === null ? "All wallets" : <CustomerLink customerId={failure.customerId} />}
              {failure.creditCurrencyKey !== null && (
                <>
                  , <span className="mono">{failure.creditCurrencyKey}</span>
                </>
              )}
              , <Day at={failure.failedAt} />: {failure.message}
            </li>
          ))}
        </ul>
        {data.next !== null && "There are more: the admin API lists them."}
      </div>
    </div>
  );
}

const spans = [
  { value: "ended", label: "Ended periods" },
  { value: "running", label: "Ended periods and the current one" },
] as const;

type Span = (typeof spans)[number]["value"];

/** The queries that a closed period makes untrue. */
const changed = ["invoices", "orders", "customer", "customers", "ledger", "wallets", "period-failures"];

/** More wallets are not summed here. */
const mostWallets = 100;

const postpaidQuery = organizationQuery("wallets", ({ wallets }, options) =>
  wallets.list({ kind: "postpaid", limit: mostWallets }, options),
);

/** Invoices what postpaid wallets have used. */
function ClosePeriodsDialog() {
  const organization = useOrganization();
  const [span, setSpan] = useState<Span>("ended");
  const wallets = useAnswer(postpaidQuery);
  const currencies = useAnswer(currenciesQuery);
  const isLoaded = wallets.isSuccess && currencies.isSuccess;
  return (
    <ActionDialog
      title="Close periods"
      action={span === "running" ? "Close current period" : "Close ended periods"}
      isReady={isLoaded}
      failure="The periods may not be closed."
      send={() => organization.closePeriods({ early: span === "running" })}
      untrue={changed}
      onDone={notifyClosed}
    >
      <Choice label="Periods" value={span} options={spans} onChange={setSpan} />
      <EffectPlace error={wallets.error} isLoaded={isLoaded} />
      {isLoaded && (
        <Effect>
          {span === "running" && (
            <Accrued
              wallets={wallets.data.wallets}
              currencies={currencies.data}
              hasMore={wallets.data.next !== null}
            />
          )}
          <p>
            {span === "running"
              ? "Each postpaid wallet with usage is invoiced for its usage until now, and a new period starts. Later usage is billed on the next invoice."
              : "Each postpaid wallet is invoiced for periods that have ended and are not invoiced yet. This also happens automatically."}
          </p>
          <p className="quiet">
            This cannot be undone. A wrong invoice can be voided and its usage billed again.
          </p>
        </Effect>
      )}
    </ActionDialog>
  );
}

function notifyClosed({ invoices, waiting, failures }: PeriodCloseAnswer): void {
  const rest = [
    waiting > 0 && "Some usage of ended periods is not settled yet. Try again in a moment.",
    failures > 0 && `${formatCount(failures)} failed: the page lists the causes.`,
  ].filter(Boolean);
  notify(
    invoices === 1 ? "1 invoice issued" : `${formatCount(invoices)} invoices issued`,
    rest.length === 0 ? undefined : rest.join(" "),
  );
}

interface Sum {
  readonly currency: string;
  readonly wallets: number;
  readonly micro: bigint;
}

/** What has accrued, by currency. */
function Accrued({
  wallets,
  currencies,
  hasMore,
}: {
  readonly wallets: readonly AdminWallet[];
  readonly currencies: readonly AdminCurrency[];
  readonly hasMore: boolean;
}) {
  const organizationId = useOrganizationId();
  const sums = sumUsed(wallets);
  const unpriced = sums
    .map(({ currency }) => currency)
    .filter((currency) => costOf(0n, currencies, currency) === undefined);
  if (sums.length === 0 && !hasMore) return <p>No postpaid wallet has usage, so no invoice is issued.</p>;
  return (
    <>
      <Table
        caption="Usage not invoiced yet, by currency"
        rows={sums}
        idOf={({ currency }) => currency}
        columns={(column) => [
          column("Currency", { isName: true, look: "mono" }, ({ currency }) => currency),
          column("Wallets", { isNumber: true }, (sum) => formatCount(sum.wallets)),
          column("Used", { isNumber: true }, ({ micro }) => formatCredits(micro)),
          column(
            "Estimate",
            { isNumber: true },
            ({ micro, currency }) => costOf(micro, currencies, currency) ?? <None>no price</None>,
          ),
        ]}
      />
      {unpriced.length > 0 && (
        <p>
          {unpriced.join(", ")} has no credit price, so its usage is invoiced in credits, without an amount of
          money. To bill money, first set the credit price on{" "}
          <Link className="link" to="/organizations/$organizationId/agents" params={{ organizationId }}>
            Agents and prices
          </Link>
          . It also applies to earlier usage that had no price.
        </p>
      )}
      {hasMore && <p>Only the first {mostWallets} postpaid wallets are summed here.</p>}
    </>
  );
}

function sumUsed(wallets: readonly AdminWallet[]): readonly Sum[] {
  const sums = new Map<string, Sum>();
  for (const { creditCurrencyKey: currency, postpaidUsed } of wallets) {
    if (postpaidUsed <= 0) continue;
    const before = sums.get(currency) ?? { currency, wallets: 0, micro: 0n };
    sums.set(currency, {
      currency,
      wallets: before.wallets + 1,
      micro: before.micro + toMicro(postpaidUsed),
    });
  }
  return [...sums.values()];
}
