import type { AdminBudget, AdminBudgetDefault, AdminCustomer } from "@creditgate/admin";
import { useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useAnswer, useMay } from "../api/query.ts";
import { CustomerFilter } from "../customers/customer-picker.tsx";
import { budgetDefaultsQuery, budgetsQuery } from "../customers/queries.ts";
import { type Nearness, tones } from "../customers/wallet.ts";
import { UsedLine } from "../customers/zero-line.tsx";
import { formatCredits, formatLimit } from "../parts/amounts.ts";
import { Badge, Fine } from "../parts/badge.tsx";
import { CopyButton } from "../parts/button.tsx";
import { DialogButton } from "../parts/form-dialog.tsx";
import { CustomerLink } from "../parts/links.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Listing, None, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { BudgetDialog, DeleteDialog, ResetDialog } from "./budget-dialogs.tsx";

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

/** The budgets of one customer. */
export function CustomerBudgets({ customer }: { readonly customer: AdminCustomer }) {
  const mayChange = useMay("money") && customer.wallets.length > 0 && customer.erasedAt === null;
  const paging = useState<string>();
  const create = (
    <DialogButton text="New budget" look="sm end" isShown={mayChange}>
      <BudgetDialog customer={customer} />
    </DialogButton>
  );
  return (
    <Section
      id="budgets"
      title="Budgets"
      lead="Limits on what members, teams and agents may spend of the wallets."
      end={create}
    >
      <BudgetList customerId={customer.externalId} paging={paging} create={create} />
    </Section>
  );
}

/** The budgets of kinds for all customers; nothing while there is none. */
function BudgetDefaults() {
  const mayChange = useMay("money");
  const { data: defaults = [] } = useAnswer(budgetDefaultsQuery);
  if (defaults.length === 0) return null;
  return (
    <Section
      id="defaults"
      title="For all customers"
      lead="Applied to each key of the kind, for every customer without a budget of this kind."
    >
      <Table
        caption="Budgets for all customers, by currency and key"
        rows={defaults}
        idOf={({ creditCurrencyKey, key }) => `${creditCurrencyKey} ${key}`}
        columns={(column) => [
          column("Key", { isName: true, look: "breaks" }, (budget) => (
            <>
              <CopyButton text={budget.key} />
              <span className="sub phone">
                <Resets budget={budget} />
              </span>
            </>
          )),
          column("Currency", { look: "mono breaks" }, (one) => one.creditCurrencyKey),
          column("Limit per key", { isNumber: true }, (budget) => (
            <>
              {formatLimit(budget.limit)}
              {budget.mode === "warn" && <span className="sub">warn only</span>}
            </>
          )),
          column("Resets", { from: 1, look: "quiet" }, (budget) => <Resets budget={budget} />),
          mayChange &&
            column("Actions", { isUnseen: true, look: "end" }, (budget) => (
              <MenuButton
                label={`More for ${budget.key} of all customers`}
                actions={[
                  { name: "Edit", dialog: <BudgetDialog budget={budget} /> },
                  { name: "Delete", isDanger: true, dialog: <DeleteDialog budget={budget} /> },
                ]}
              />
            )),
        ]}
      />
    </Section>
  );
}

interface BudgetListProps {
  /** Whose budgets; without it those of all customers. */
  readonly customerId: string | undefined;
  /** On the customer's own page: which part is shown. */
  readonly paging?: readonly [string | undefined, (cursor: string | undefined) => void];
  /** The button that creates one. */
  readonly create: ReactNode;
}

/** Budgets, in the order of the API. */
function BudgetList({ customerId, paging, create }: BudgetListProps) {
  const mayChange = useMay("money");
  const isOfOne = paging !== undefined;
  const { cursor } = useSearch({ strict: false });
  const budgets = useAnswer(budgetsQuery, customerId, isOfOne ? paging[0] : cursor);
  return (
    <Listing
      query={budgets}
      rowsOf={(answer) => answer.budgets}
      what="budgets"
      {...(paging && { paging })}
      empty={
        <Empty title="No budgets yet" action={create}>
          A budget limits what a member, a team or an agent may spend of a wallet. Your application sends its
          key with each request, such as member:42.
        </Empty>
      }
    >
      {(rows, isOld) => (
        <Table
          caption="Budgets, by customer, currency and key"
          rows={rows}
          idOf={({ customerId: id, creditCurrencyKey, key }) => `${id} ${creditCurrencyKey} ${key}`}
          isOld={isOld}
          columns={(column) => [
            column("Key", { isName: true, look: "breaks" }, (budget) => (
              <>
                <CopyButton text={budget.key} />
                {!isOfOne && <span className="sub mono phone">{budget.customerId}</span>}
                {!isKind(budget) && (
                  <>
                    <span className="phone">
                      <State budget={budget} />
                    </span>
                    <span className="phone bar">
                      <BudgetLine budget={budget} />
                    </span>
                  </>
                )}
                <span className="sub phone">
                  <Resets budget={budget} />
                </span>
              </>
            )),
            !isOfOne &&
              column("Customer", { from: 1, look: "breaks" }, (one) => (
                <CustomerLink customerId={one.customerId} />
              )),
            column("Currency", { from: 2, look: "mono breaks" }, (one) => one.creditCurrencyKey),
            column(
              "Usage",
              { from: 1, width: "barcol" },
              (budget) => !isKind(budget) && <BudgetLine budget={budget} />,
            ),
            column("Used", { isNumber: true }, (budget) => (
              <>
                {isKind(budget) ? (
                  <None>each</None>
                ) : (
                  <span className={tones[nearnessOf(budget)]}>{formatCredits(budget.used)}</span>
                )}
                <span className="sub">{limitOf(budget)}</span>
              </>
            )),
            column("Status", { from: 1 }, (budget) => !isKind(budget) && <State budget={budget} />),
            column("Resets", { from: 1, look: "quiet" }, (budget) => <Resets budget={budget} />),
            mayChange &&
              column("Actions", { isUnseen: true, look: "end" }, (budget) => (
                <MenuButton
                  label={`More for ${budget.key} of ${budget.customerId}`}
                  actions={[
                    { name: "Edit", dialog: <BudgetDialog budget={budget} /> },
                    !isKind(budget) && { name: "Reset", dialog: <ResetDialog budget={budget} /> },
                    { name: "Delete", isDanger: true, dialog: <DeleteDialog budget={budget} /> },
                  ]}
                />
              )),
          ]}
        />
      )}
    </Listing>
  );
}

/** Whether it is that of each key of its kind: no work names it, and nothing is used of it. */
function isKind({ key }: AdminBudget): boolean {
  return key.endsWith(":*");
}

function limitOf({ limit, mode }: AdminBudget): string {
  return `of ${formatLimit(limit)}${mode === "warn" ? ", warn only" : ""}`;
}

/** Low from `warnAt` on, as the webhook has it. */
function nearnessOf({ used, limit, warnAt }: AdminBudget): Nearness {
  if (used >= limit) return "now";
  return used >= (warnAt ?? 0.8 * limit) ? "soon" : "fine";
}

function BudgetLine({ budget }: { readonly budget: AdminBudget }) {
  const { used, limit } = budget;
  return (
    <UsedLine
      used={used}
      limit={limit}
      nearness={nearnessOf(budget)}
      label={`${formatCredits(used)} used of ${formatCredits(limit)}`}
    />
  );
}

function State({ budget }: { readonly budget: AdminBudget }) {
  const nearness = nearnessOf(budget);
  if (nearness === "now") return <Badge tone="bad">Used up</Badge>;
  return nearness === "soon" ? <Badge tone="warn">Near limit</Badge> : <Fine>Within limit</Fine>;
}

function Resets({
  budget: { every, timeZone, resetsAt },
}: {
  readonly budget: AdminBudget | AdminBudgetDefault;
}) {
  if (resetsAt === null) return "never";
  return (
    <>
      <Time at={resetsAt} />
      <span className="sub">{`every ${every}, ${timeZone}`}</span>
    </>
  );
}
