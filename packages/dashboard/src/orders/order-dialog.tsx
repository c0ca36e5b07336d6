import type { AdminCustomer } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useAllAgents } from "../agents/queries.ts";
import { useAction, useDraft, useIdempotencyKey } from "../api/edit.ts";
import { organizationsQuery, useOrganization, useOrganizationId } from "../api/query.ts";
import { keyOf } from "../parts/address.ts";
import { formatCount, formatMoney, parseCredits, parseMoney } from "../parts/amounts.ts";
import { Failure, fieldErrors } from "../parts/failure.tsx";
import { amountFrom0, Choice, Field, isMoneyCode, MoneyCodeField } from "../parts/field.tsx";
import { Effect, FormDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";
import { formatGiven, type OrderBenefit, periodOf, type Validity, validities } from "./benefit-terms.ts";
import { bookQueries } from "./queries.ts";

const payments = [
  { value: "open", label: "Not paid yet" },
  { value: "paid", label: "Paid already" },
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
  const days = validity === "days" ? parseDays(values.days) : undefined;
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
      notify(`${orderName} is ordered`);
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
      action="Make the order"
      isReady={
        isNamed && agentId !== undefined && fee !== undefined && (credits === 0 || benefit !== undefined)
      }
      form={form}
      failure="The order is not confirmed."
    >
      {customer === undefined && (
        <Field
          {...bind("customer")}
          label="Customer ID"
          isCode
          autoFocus
          maxLength={200}
          error={refused.customer}
        />
      )}
      <Field
        {...bind("order")}
        label="Name of the order"
        maxLength={256}
        autoFocus={customer !== undefined}
        error={refused.order}
        hint="As it stands on the invoice: Plus, November."
      />
      {agents.isError && <Failure error={agents.error} what="The agents could not be loaded." />}
      {agents.data?.length === 0 && (
        <p className="note warn">There is no agent yet: an order is of one. Make it first.</p>
      )}
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
          error={fee === undefined && isMoney ? "An amount from 0" : refused.fee}
        />
        <MoneyCodeField {...bind("money")} error={refused.money} />
      </div>
      <div className="pair">
        <Field
          {...bind("credits")}
          label="Credits that come with it"
          isNumber
          error={credits === undefined ? amountFrom0 : refused.credits}
        />
        <Field {...bind("currency")} label="Of" isCode maxLength={200} error={refused.currency} />
      </div>
      <div className="pair">
        <Choice
          {...bind("validity")}
          label="Validity"
          options={Object.entries(validities).flatMap(([text, label]) => {
            const value = keyOf(validities, text);
            return value === undefined ? [] : [{ value, label }];
          })}
        />
        {validity === "days" && (
          <Field
            {...bind("days")}
            label="After"
            unit="days"
            isNumber
            error={days === undefined ? `A number of days from 1 to ${formatCount(mostDays)}` : refused.days}
          />
        )}
        {every !== undefined && (
          <Field
            {...bind("rollover")}
            label="Left over that stays (optional)"
            unit="credits"
            isNumber
            error={rollover === undefined ? amountFrom0 : refused.rollover}
          />
        )}
      </div>
      <div className="pair">
        <Field {...bind("start")} label="Starts" type="date" error={refused.start} />
        <Choice {...bind("payment")} label="Payment" options={payments} />
      </div>
      <Effect>
        <p>
          {isPaid
            ? `An invoice of ${formatMoney(fee ?? 0, money)} is made, and is paid.`
            : `An invoice makes ${formatMoney(fee ?? 0, money)} due.`}{" "}
          {benefit && `${formatGiven(benefit, { isPaid, timeZone })} `}
          An active order of this agent {isPaid ? "ends now" : "ends when this one is paid"}
          {every !== undefined && "; credits that recur with it go on with these, on their days"}.
        </p>
        <p className="quiet">
          {isPaid
            ? "It cannot be undone: a credit note takes back what was paid."
            : "Until it is paid the order can be cancelled."}
        </p>
      </Effect>
    </FormDialog>
  );
}

function parseDays(text: string): number | undefined {
  const days = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  return days >= 1 && days <= mostDays ? days : undefined;
}
