import { useSearch } from "@tanstack/react-router";
import { useMay } from "../api/query.ts";
import { CustomerFilter } from "../customers/customer-picker.tsx";
import { DialogButton } from "../parts/form-dialog.tsx";
import { Page } from "../parts/page.tsx";
import { BudgetDialog } from "./budget-dialogs.tsx";
import { BudgetDefaults, BudgetList } from "./budget-list.tsx";

/** The budgets of all customers. */
export function BudgetsPage() {
  const { customer } = useSearch({ from: "/shell/organizations/$organizationId/budgets" });
  const create = (
    <DialogButton text="New budget" look="primary" icon="plus" data-key="n" isShown={useMay("money")}>
      <BudgetDialog />
    </DialogButton>
  );
  return (
    <Page title="Budgets" actions={create}>
      <BudgetDefaults />
      <div className="section">
        <div className="toolbar">
          <CustomerFilter />
        </div>
      </div>
      <BudgetList customerId={customer} create={create} />
    </Page>
  );
}
