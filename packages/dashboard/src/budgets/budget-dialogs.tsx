import {
  type AdminBudget,
  type AdminBudgetDefault,
  type AdminCustomer,
  adminBudget,
  adminBudgetDefault,
  type BudgetSetRequest,
} from "@creditgate/admin";
import { useEdit } from "../api/edit.ts";
import { useAnswer, useOrganization } from "../api/query.ts";
import { CustomerPicker } from "../customers/customer-picker.tsx";
import { currenciesQuery } from "../customers/queries.ts";
import { formatCredits, fromMicro, parseCredits, parseOptionalCredits, toMicro } from "../parts/amounts.ts";
import { amountFrom0, Choice, choicesOf, Field } from "../parts/field.tsx";
import { ActionDialog, Effect, FormDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";

const untrue = ["budgets", "budget-defaults"];

/** A budget of a customer, or that of a kind for all customers. */
type AnyBudget = AdminBudget | AdminBudgetDefault;

function customerOf(budget: AnyBudget): string | undefined {
  return "customerId" in budget ? budget.customerId : undefined;
}

const anyBudget = adminBudget.or(adminBudgetDefault);

const periods = {
  never: "Never",
  hour: "Every hour",
  day: "Every day",
  week: "Every week",
  month: "Every month",
} as const;

const modes = {
  enforce: "Enforce: deny requests over the limit",
  warn: "Warn only: count usage, deny nothing",
} as const;

interface Values {
  readonly customer: string;
  readonly currency: string;
  readonly key: string;
  readonly limit: string;
  readonly every: keyof typeof periods;
  readonly timeZone: string;
  readonly warnAt: string;
  readonly mode: keyof typeof modes;
}

/** Creates a budget, of a customer, or of one whose ID is written, or of all; or changes one. */
export function BudgetDialog({
  budget,
  customer,
}: {
  readonly budget?: AnyBudget;
  readonly customer?: AdminCustomer;
}) {
  const organization = useOrganization();
  const isNew = budget === undefined;
  const { data = [] } = useAnswer(currenciesQuery);
  const currencies = (customer?.wallets ?? data).map(({ creditCurrencyKey }) => creditCurrencyKey);
  const currencyOf = (written: string) => written || (currencies[0] ?? "");
  const edit = useEdit<AnyBudget | undefined, Values, AnyBudget>({
    record: budget,
    schema: anyBudget,
    valuesOf: (one) => ({
      customer: (one && customerOf(one)) ?? customer?.externalId ?? "",
      currency: one?.creditCurrencyKey ?? "",
      key: one?.key ?? "",
      limit: one === undefined ? "" : formatCredits(one.limit),
      every: one === undefined ? "day" : (one.every ?? "never"),
      timeZone: one?.timeZone ?? "",
      warnAt: one?.warnAt == null ? "" : formatCredits(one.warnAt),
      mode: one?.mode ?? "enforce",
    }),
    labels: { limit: "Limit", every: "Resets", timeZone: "Time zone", warnAt: "Warn at", mode: "Mode" },
    send(changed, seen, values) {
      const { budgets } = organization;
      const named = [currencyOf(values.currency), values.key.trim()] as const;
      const terms = { ...seen, ...termsOf(isNew ? values : changed) };
      const customerId = values.customer.trim();
      return customerId === ""
        ? budgets.defaults.set(...named, terms)
        : budgets.set(customerId, ...named, terms);
    },
    untrue,
    onDone: ({ key }) => notify(`Budget of ${key} ${isNew ? "created" : "updated"}`),
  });
  const { bind, values } = edit;
  const key = values.key.trim();
  const limit = parseCredits(values.limit);
  const warnAt = parseOptionalCredits(values.warnAt);
  const isForAll = values.customer.trim() === "";
  const fitsWhom = !isForAll || key.endsWith(":*");
  const isNamed = isNew ? key !== "" && fitsWhom : edit.isChanged;
  const hasTimeZone = isNew || values.timeZone.trim() !== "";
  return (
    <FormDialog
      title={isNew ? "New budget" : `Budget of ${key}`}
      action={isNew ? "Create budget" : "Save budget"}
      isReady={isNamed && limit !== undefined && warnAt !== undefined && hasTimeZone}
      form={edit}
      failure={`The budget was not ${isNew ? "created" : "updated"}.`}
    >
      {isNew && customer === undefined && (
        <CustomerPicker
          {...bind("customer")}
          label="Customer (optional)"
          autoFocus
          hint="Leave empty for all customers without a budget of this kind."
        />
      )}
      {isNew && (
        <>
          <Choice
            {...bind("currency")}
            label="Wallet"
            value={currencyOf(values.currency)}
            options={currencies.map((value) => ({ value, label: value }))}
          />
          <Field
            {...bind("key")}
            label="Key"
            isCode
            maxLength={128}
            autoFocus={customer !== undefined}
            error={key === "" || fitsWhom ? undefined : "Enter a kind for all customers, such as member:*"}
            hint="Sent with each request, such as member:42. member:* is for each member without a budget."
          />
        </>
      )}
      <Field
        {...bind("limit")}
        label="Limit"
        unit="credits"
        isNumber
        autoFocus={!isNew}
        error={values.limit === "" || limit !== undefined ? undefined : amountFrom0}
      />
      <Choice {...bind("mode")} label="Mode" options={choicesOf(modes)} />
      <Choice {...bind("every")} label="Resets" options={choicesOf(periods)} />
      <Field
        {...bind("timeZone")}
        label={isNew ? "Time zone (optional)" : "Time zone"}
        maxLength={200}
        error={hasTimeZone ? undefined : "Enter a time zone, such as Europe/Amsterdam"}
        hint={`When its days begin, such as Europe/Amsterdam.${isNew ? " Leave empty for the organization’s." : ""}`}
      />
      <Field
        {...bind("warnAt")}
        label="Warn at (optional)"
        unit="credits"
        isNumber
        error={warnAt === undefined ? amountFrom0 : undefined}
        hint="Used credits at which the webhook budget.low is sent. Leave empty for 80 % of the limit."
      />
      <Effect>
        <p>
          {values.mode === "warn"
            ? "The budget counts usage and sends its webhooks, but denies no requests."
            : effectOf(edit.record, limit, isForAll)}
        </p>
      </Effect>
    </FormDialog>
  );
}

function effectOf(budget: AnyBudget | undefined, limit: number | undefined, isForAll: boolean): string {
  if (limit === undefined) return "Enter a limit.";
  if (isForAll)
    return "It applies from the next request to each key of this kind, for every customer without a budget of this kind.";
  if (budget === undefined)
    return "It applies from the next request. A key that already has a budget gets this one.";
  if (budget.key.endsWith(":*") || !("used" in budget))
    return "It applies from the next request to each key of this kind.";
  const left = Math.max(0, fromMicro(toMicro(limit) - toMicro(budget.used)));
  return `From the next request, ${formatCredits(left)} credits remain.`;
}

function termsOf({ limit, every, timeZone = "", warnAt, mode }: Partial<Values>): BudgetSetRequest {
  return {
    ...(limit === undefined ? {} : { limit: parseCredits(limit) }),
    ...(every === undefined ? {} : { every: every === "never" ? null : every }),
    ...(timeZone.trim() === "" ? {} : { timeZone: timeZone.trim() }),
    ...(warnAt === undefined ? {} : { warnAt: parseOptionalCredits(warnAt) }),
    ...(mode === undefined ? {} : { mode }),
  };
}

/** Begins a new period of a budget. */
export function ResetDialog({
  budget: { customerId, creditCurrencyKey, key, limit },
}: {
  readonly budget: AdminBudget;
}) {
  const { budgets } = useOrganization();
  return (
    <ActionDialog
      title={`Reset ${key}`}
      action="Reset budget"
      failure="The budget was not reset."
      send={() => budgets.reset(customerId, creditCurrencyKey, key)}
      untrue={untrue}
      onDone={() => notify(`Budget of ${key} reset`)}
    >
      <Effect>
        <p>{`A new period begins now with ${formatCredits(limit)} credits. The wallet does not change.`}</p>
        <p className="quiet">This cannot be undone.</p>
      </Effect>
    </ActionDialog>
  );
}

/** Removes a budget. */
export function DeleteDialog({ budget }: { readonly budget: AnyBudget }) {
  const { budgets } = useOrganization();
  const { creditCurrencyKey, key } = budget;
  const customerId = customerOf(budget);
  return (
    <ActionDialog
      title={`Delete ${key}`}
      action="Delete budget"
      isDanger
      failure="The budget was not deleted."
      send={() =>
        customerId === undefined
          ? budgets.defaults.delete(creditCurrencyKey, key)
          : budgets.delete(customerId, creditCurrencyKey, key)
      }
      untrue={untrue}
      onDone={() => notify(`Budget of ${key} deleted`)}
    >
      <Effect>
        <p>
          {customerId === undefined
            ? "Requests with a key of this kind are denied once gates read this, unless the key or the customer has its own budget."
            : "Requests with this key are denied once gates read this, unless its kind has a budget."}
        </p>
        <p className="quiet">A budget that is created again starts at 0.</p>
      </Effect>
    </ActionDialog>
  );
}
