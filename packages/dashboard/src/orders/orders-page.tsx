import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../api/account.ts";
import { TextButton } from "../parts/button.tsx";
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
  const [open, setOpen] = useState<"periods" | "order">();
  const close = () => setOpen(undefined);
  return (
    <Page
      title="Orders and invoices"
      actions={
        mayChange && (
          <>
            <TextButton text="Close periods" onPress={() => setOpen("periods")} />
            <TextButton
              text="New order"
              look="primary"
              icon="plus"
              data-key="n"
              onPress={() => setOpen("order")}
            />
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
      {open === "periods" && <ClosePeriodsDialog onClose={close} />}
      {open === "order" && <OrderDialog onClose={close} />}
    </Page>
  );
}
