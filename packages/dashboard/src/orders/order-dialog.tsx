import type { AdminCustomer } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useAllAgents } from "../agents/queries.ts";
import { useAction, useDraft, useIdempotencyKey } from "../api/edit.ts";
import { organizationsQuery, useMay, useOrganization, useOrganizationId } from "../api/query.ts";
import { CustomerPicker } from "../customers/customer-picker.tsx";
import { formatCount, formatMoney, parseCount, parseCredits, parseMoney } from "../parts/amounts.ts";
import { Failure, fieldErrors } from "../parts/failure.tsx";
import { amountFrom0, Choice, choicesOf, Field, isMoneyCode, MoneyCodeField } from "../parts/field.tsx";
import { DialogButton, Effect, FormDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";
import { formatGiven, type OrderBenefit, periodOf, type Validity, validities } from "./benefit-terms.ts";
import { bookQueries } from "./queries.ts";

const payments = [
  { value: "open", label: "Unpaid" },
  { value: "paid", label: "Already paid" },
] as const;

type Payment = (typeof payments)[number]["value"];

/** Where a refusal names each field: by the place in what was sent, or by its code. */
const places = {
  customer: ["/customerExternalId", "customer_unknown"],
  order: ["/orderName"],
  start: ["/startDate"],
  fee: ["/lineItems/0/platformFee/amount"],
  money: ["/lineItems/0/platformFee/currency"],
  credits: ["/lineItems/0/creditBenefits/0/credits", "amount_out_of_range"],
  currency: ["/lineItems/0/creditBenefits/0/credit_currency_key", "wallet_postpaid"],
  days: ["/lineItems/0/creditBenefits/0/expiresInDays"],
  rollover: ["/lineItems/0/creditBenefits/0/rollover"],
};

const mostDays = 36_500;

/** Opens the dialog of a new order; absent for those who may make none. */
export function NewOrder() {
  return (
    <DialogButton text="New order" look="primary" icon="plus" data-key="n" isShown={useMay("money")}>
      <OrderDialog />
    </DialogButton>
  );
}

/** Creates an order of one agent, with a fee and the credits that come with it. */
export function OrderDialog({
  customer,
}: {
  /** Whose order it is; without one the dialog asks for the ID. */
  customer?: AdminCustomer;
}) {
  const organizationId = useOrganizationId();
  const organization = useOrganization();
  const navigate = useNavigate();
  const agents = useAllAgents();
  const idempotencyKey = useIdempotencyKey();
  const { data: organizations = [] } = useQuery(organizationsQuery);
  const timeZone = organizations.find((one) => one.organizationId === organizationId)?.timeZone ?? "UTC";
  const { values, set, bind } = useDraft(() => ({
    customer: customer?.externalId ?? "",
    order: "",
    agent: undefined as string | undefined,
    start: new Date().toISOString().slice(0, 10),
    fee: "",
    money: "EUR",
    credits: "",
    currency: customer?.wallets.find(({ kind }) => kind === "prepaid")?.creditCurrencyKey ?? "ai_credits",
    validity: "forever" as Validity,
    days: "30",
    rollover: "",
    payment: "open" as Payment,
  }));
  const { start: startDate, money, payment, validity } = values;
  const [customerId, orderName, currency] = [
    values.customer.trim(),
    values.order.trim(),
    values.currency.trim(),
  ];
  const agentId = values.agent ?? agents.data?.[0]?.agentId;
  const isMoney = isMoneyCode(money);
  const isPaid = payment === "paid";
  const fee = isMoney ? (values.fee.trim() === "" ? 0 : parseMoney(values.fee, money)) : undefined;
  const credits = values.credits.trim() === "" ? 0 : parseCredits(values.credits);
  const every = periodOf(validity);
  const days = validity === "days" ? parseCount(values.days, mostDays) : undefined;
  const rollover = every === undefined || values.rollover.trim() === "" ? 0 : parseCredits(values.rollover);
  const isTimed = (validity !== "days" || days !== undefined) && rollover !== undefined;
  const benefit: OrderBenefit | undefined =
    credits && currency !== "" && isTimed
      ? {
          credit_currency_key: currency,
          credits,
          ...(days === undefined ? {} : { expiresInDays: days }),
          ...(every === undefined ? {} : { every, rollover }),
        }
      : undefined;
  const isNamed = [customerId, orderName, startDate].every((text) => text !== "");
  const [sent, setSent] = useState<typeof values>();
  const form = useAction({
    send() {
      setSent(values);
      return organization.orders.create(
        {
          customerExternalId: customerId,
          orderName,
          startDate,
          lineItems: [
            {
              agentId: agentId ?? "",
              platformFee: { amount: fee ?? 0, currency: money },
              ...(benefit ? { creditBenefits: [benefit] } : {}),
            },
          ],
          ...(isPaid ? { paid: true } : {}),
        },
        { idempotencyKey },
      );
    },
    untrue: bookQueries,
    onDone({ orderId }) {
      notify(`Order ${orderName} created`);
      return navigate({
        to: "/organizations/$organizationId/orders/$orderId",
        params: { organizationId, orderId },
      });
    },
  });
  // What was refused is not what stands there now.
  const refused = sent === values ? fieldErrors(form.error, places) : {};
  return (
    <FormDialog
      title={customer === undefined ? "New order" : `New order for ${customer.name}`}
      action="Create order"
      isReady={
        isNamed && agentId !== undefined && fee !== undefined && (credits === 0 || benefit !== undefined)
      }
      form={form}
      failure="The order could not be confirmed."
    >
      {customer === undefined && <CustomerPicker {...bind("customer")} autoFocus error={refused.customer} />}
      <Field
        {...bind("order")}
        label="Order name"
        maxLength={256}
        autoFocus={customer !== undefined}
        error={refused.order}
        hint="Shown on the invoice, such as “Plus, November”."
      />
      {agents.isError && <Failure error={agents.error} what="The agents could not be loaded." />}
      {agents.data?.length === 0 && <p className="note warn">An order needs an agent. Create one first.</p>}
      {agentId !== undefined && (
        <Choice
          label="Agent"
          value={agentId}
          options={(agents.data ?? []).map((one) => ({ value: one.agentId, label: one.agentName }))}
          onChange={(agent) => set({ agent })}
        />
      )}
      <div className="pair">
        <Field
          {...bind("fee")}
          label="Fee"
          isNumber
          error={fee === undefined && isMoney ? "Enter an amount of 0 or more" : refused.fee}
        />
        <MoneyCodeField {...bind("money")} error={refused.money} />
      </div>
      <div className="pair">
        <Field
          {...bind("credits")}
          label="Included credits"
          isNumber
          error={credits === undefined ? amountFrom0 : refused.credits}
        />
        <Field
          {...bind("currency")}
          label="Credit currency"
          isCode
          maxLength={200}
          error={refused.currency}
        />
      </div>
      <div className="pair">
        <Choice {...bind("validity")} label="Validity" options={choicesOf(validities)} />
        {validity === "days" && (
          <Field
            {...bind("days")}
            label="Expires after"
            unit="days"
            isNumber
            error={days === undefined ? `Enter 1 to ${formatCount(mostDays)} days` : refused.days}
          />
        )}
        {every !== undefined && (
          <Field
            {...bind("rollover")}
            label="Rollover (optional)"
            unit="credits"
            isNumber
            error={rollover === undefined ? amountFrom0 : refused.rollover}
          />
        )}
      </div>
      <div className="pair">
        <Field {...bind("start")} label="Start date" type="date" error={refused.start} />
        <Choice {...bind("payment")} label="Payment" options={payments} />
      </div>
      <Effect>
        <p>
          {isPaid
            ? `A paid invoice of ${formatMoney(fee ?? 0, money)} is issued.`
            : `An open invoice of ${formatMoney(fee ?? 0, money)} is issued.`}{" "}
          {benefit && `${formatGiven(benefit, { isPaid, timeZone })} `}
          An active order for this agent is superseded {isPaid ? "now" : "when this one is paid"}
          {every !== undefined && "; its recurring credits continue with these, on the same days"}.
        </p>
        <p className="quiet">
          {isPaid
            ? "This cannot be undone. A credit note can refund it later."
            : "The order can be cancelled until it is paid."}
        </p>
      </Effect>
    </FormDialog>
  );
}
