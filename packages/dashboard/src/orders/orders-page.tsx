import { useSearch } from "@tanstack/react-router";
import { useMay } from "../api/account.ts";
import { DialogButton } from "../parts/dialog-button.tsx";
import { Page } from "../parts/page.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { ClosePeriodsDialog } from "./close-periods-dialog.tsx";
import { CreditNoteList } from "./credit-note-list.tsx";
import { InvoiceList } from "./invoice-list.tsx";
import { OrderDialog } from "./order-dialog.tsx";
import { OrderList } from "./order-list.tsx";
import { PeriodFailures } from "./period-failures.tsx";
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
