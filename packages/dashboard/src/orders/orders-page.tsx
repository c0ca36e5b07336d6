import { useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { useMay } from "../api/account.ts";
import { Icon } from "../parts/icon.tsx";
import { Page } from "../parts/page.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { ClosePeriodsDialog } from "./close-periods-dialog.tsx";
import { CreditNoteList } from "./credit-note-list.tsx";
import { InvoiceList } from "./invoice-list.tsx";
import { OrderDialog } from "./order-dialog.tsx";
import { OrderList } from "./order-list.tsx";
import { PeriodFailures } from "./period-failures.tsx";
import { RecordToolbar } from "./record-toolbar.tsx";
import { shown } from "./search.ts";

export function OrdersPage(): ReactNode {
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
            <Button className="btn" onPress={() => setOpen("periods")}>
              Close periods
            </Button>
            <Button className="btn primary" data-key="n" onPress={() => setOpen("order")}>
              <Icon name="plus" />
              New order
            </Button>
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
          { show: "orders", name: shown.orders },
          { show: "credit-notes", name: shown["credit-notes"] },
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
