import { useSearch } from "@tanstack/react-router";
import { organizationQuery, useAnswer, useMay } from "../api/query.ts";
import { DialogButton } from "../parts/form-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { CustomerLink } from "../parts/links.tsx";
import { Page } from "../parts/page.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Day } from "../parts/time.tsx";
import { ClosePeriodsDialog } from "./close-periods-dialog.tsx";
import { CreditNoteList } from "./credit-note-list.tsx";
import { InvoiceList } from "./invoice-list.tsx";
import { OrderDialog } from "./order-dialog.tsx";
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
            <DialogButton text="New order" look="primary" icon="plus" data-key="n">
              <OrderDialog />
            </DialogButton>
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
        <b>Periods could not be invoiced.</b> They are tried again; nothing is lost.
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
