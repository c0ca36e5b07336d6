import { useSearch } from "@tanstack/react-router";
import { useMay } from "../api/query.ts";
import { DialogButton } from "../parts/form-dialog.tsx";
import { Page } from "../parts/page.tsx";
import { SearchBox, useFilters } from "../parts/toolbar.tsx";
import { BudgetDialog } from "./budget-dialogs.tsx";
import { BudgetDefaults, BudgetList } from "./budget-list.tsx";

/** The budgets of all customers. */
export function BudgetsPage() {
  const { customer, cursor } = useSearch({ from: "/shell/organizations/$organizationId/budgets" });
  const { move } = useFilters();
  const mayChange = useMay("money");
  return (
    <Page
      title="Budgets"
      actions={
        <DialogButton text="New budget" look="primary" icon="plus" data-key="n" isShown={mayChange}>
          <BudgetDialog />
        </DialogButton>
      }
    >
      <BudgetDefaults />
      <div className="section">
        <div className="toolbar">
          <SearchBox label="Customer ID" />
        </div>
      </div>
      <BudgetList customerId={customer} paging={[cursor, move]} />
    </Page>
  );
}
