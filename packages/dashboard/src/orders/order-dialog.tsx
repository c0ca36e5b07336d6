import type { AdminCustomer } from "@creditgate/admin";
import { useNavigate } from "@tanstack/react-router";
import { useAllAgents } from "../agents/queries.ts";
import { useDraft, useIdempotencyKey } from "../api/edit.ts";
import { useOrganization, useOrganizationId } from "../api/query.ts";
import { formatCredits, formatMoney, parseCredits, parseMoney } from "../parts/amounts.ts";
import { Failure } from "../parts/failure.tsx";
import { amountFrom0, Choice, Field, isMoneyCode, MoneyCodeField } from "../parts/field.tsx";
import { ActionDialog, Effect } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";
import { bookQueries } from "./queries.ts";

const payments = [
  { value: "open", label: "Not paid yet" },
  { value: "paid", label: "Paid already" },
] as const;

type Payment = (typeof payments)[number]["value"];

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
  const { values, set, bind } = useDraft(() => ({
    customer: customer?.externalId ?? "",
    order: "",
    agent: undefined as string | undefined,
    start: new Date().toISOString().slice(0, 10),
    fee: "",
    money: "EUR",
    credits: "",
    currency: customer?.wallets.find(({ kind }) => kind === "prepaid")?.creditCurrencyKey ?? "ai_credits",
    payment: "open" as Payment,
  }));
  const { start: startDate, money, payment } = values;
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
  const isNamed = [customerId, orderName, startDate].every((text) => text !== "");
  return (
    <ActionDialog
      title={customer === undefined ? "New order" : `New order for ${customer.name}`}
      action="Make the order"
      isReady={
        isNamed &&
        agentId !== undefined &&
        fee !== undefined &&
        credits !== undefined &&
        (credits === 0 || currency !== "")
      }
      failure="The order is not confirmed."
      send={() =>
        organization.orders.create(
          {
            customerExternalId: customerId,
            orderName,
            startDate,
            lineItems: [
              {
                agentId: agentId ?? "",
                platformFee: { amount: fee ?? 0, currency: money },
                ...(credits ? { creditBenefits: [{ credit_currency_key: currency, credits }] } : {}),
              },
            ],
            ...(isPaid ? { paid: true } : {}),
          },
          { idempotencyKey },
        )
      }
      untrue={bookQueries}
      onDone={({ orderId }) => {
        notify(`${orderName} is ordered`);
        return navigate({
          to: "/organizations/$organizationId/orders/$orderId",
          params: { organizationId, orderId },
        });
      }}
    >
      {customer === undefined && (
        <Field {...bind("customer")} label="Customer ID" isCode autoFocus maxLength={200} />
      )}
      <Field
        {...bind("order")}
        label="Name of the order"
        maxLength={256}
        autoFocus={customer !== undefined}
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
          error={fee === undefined && isMoney ? "An amount from 0" : undefined}
        />
        <MoneyCodeField {...bind("money")} />
      </div>
      <div className="pair">
        <Field
          {...bind("credits")}
          label="Credits that come with it"
          isNumber
          error={credits === undefined ? amountFrom0 : undefined}
        />
        <Field {...bind("currency")} label="Of" isCode maxLength={200} />
      </div>
      <div className="pair">
        <Field {...bind("start")} label="Starts" type="date" />
        <Choice {...bind("payment")} label="Payment" options={payments} />
      </div>
      <Effect>
        <p>
          {words(
            formatMoney(fee ?? 0, money),
            credits ? `${formatCredits(credits)} ${values.currency}` : "",
            isPaid,
          )}{" "}
          An active order of this agent {isPaid ? "ends now" : "ends when this one is paid"}.
        </p>
        <p className="quiet">
          {isPaid
            ? "It cannot be undone: a credit note takes back what was paid."
            : "Until it is paid the order can be cancelled."}
        </p>
      </Effect>
    </ActionDialog>
  );
}

function words(owed: string, given: string, isPaid: boolean): string {
  return isPaid
    ? `An invoice of ${owed} is made, and is paid.${given && ` ${given} can be spent at once.`}`
    : `An invoice makes ${owed} due.${given && ` ${given} are pending until it is paid.`}`;
}
