import type { AdminCustomer } from "@creditgate/client/admin";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useAllAgents } from "../agents/queries.ts";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Choice } from "../parts/choice.tsx";
import { formatCredits, parseCredits } from "../parts/credits.ts";
import { Effect } from "../parts/effect.tsx";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { formatMoney, parseMoney } from "../parts/money.ts";
import { isMoneyCode, MoneyCodeField } from "../parts/money-code-field.tsx";
import { tell } from "../parts/toasts.tsx";
import { bookKeys } from "./queries.ts";

const payments = [
  { value: "open", label: "Not paid yet" },
  { value: "paid", label: "Paid already" },
] as const;

type Payment = (typeof payments)[number]["value"];

/** Makes an order of one agent, with a fee and the credits that come with it. */
export function OrderDialog({
  customer,
  onClose,
}: {
  /** Whose order it is; without one the dialog asks for the ID. */
  readonly customer?: AdminCustomer;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const agents = useAllAgents(organizationId);
  const [customerId, setCustomerId] = useState(customer?.externalId ?? "");
  const [orderName, setOrderName] = useState("");
  const [chosen, setChosen] = useState<string>();
  const [startDate, setStartDate] = useState(() => new Date().toISOString().slice(0, 10));
  const [feeText, setFeeText] = useState("");
  const [money, setMoney] = useState("EUR");
  const [creditText, setCreditText] = useState("");
  const [currency, setCurrency] = useState(
    customer?.wallets.find(({ kind }) => kind === "prepaid")?.credit_currency_key ?? "ai_credits",
  );
  const [payment, setPayment] = useState<Payment>("open");
  // One for each opened dialog: pressed twice, or sent again after a lost answer, it happens once.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const agentId = chosen ?? agents.data?.[0]?.agentId;
  const isMoney = isMoneyCode(money);
  const fee = isMoney ? (feeText.trim() === "" ? 0 : parseMoney(feeText, money)) : undefined;
  const credits = creditText.trim() === "" ? 0 : parseCredits(creditText);
  const isReady =
    agentId !== undefined &&
    customerId.trim() !== "" &&
    orderName.trim() !== "" &&
    startDate !== "" &&
    fee !== undefined &&
    credits !== undefined &&
    (credits === 0 || currency.trim() !== "");
  const create = useChange({
    change: ({ agent, amount, benefit }: Order) =>
      admin.organization(organizationId).orders.create(
        {
          customerExternalId: customerId.trim(),
          orderName: orderName.trim(),
          startDate,
          lineItems: [
            {
              agentId: agent,
              platformFee: { amount, currency: money },
              ...(benefit === 0
                ? {}
                : { creditBenefits: [{ credit_currency_key: currency.trim(), credits: benefit }] }),
            },
          ],
          ...(payment === "paid" ? { paid: true } : {}),
        },
        { idempotencyKey },
      ),
    untrue: bookKeys(organizationId, customerId.trim()),
    onDone({ orderId }) {
      tell(`${orderName.trim()} is ordered`);
      return navigate({
        to: "/organizations/$organizationId/orders/$orderId",
        params: { organizationId, orderId },
      });
    },
  });
  return (
    <FormDialog
      title={customer === undefined ? "New order" : `New order for ${customer.name}`}
      action="Make the order"
      isReady={isReady}
      change={create}
      failure="The order is not confirmed."
      onSubmit={() => {
        if (agentId !== undefined && fee !== undefined && credits !== undefined) {
          create.mutate({ agent: agentId, amount: fee, benefit: credits });
        }
      }}
      onClose={onClose}
    >
      {customer === undefined && (
        <Field
          label="Customer ID"
          name="customer"
          value={customerId}
          onChange={setCustomerId}
          isCode
          autoFocus
          maxLength={200}
        />
      )}
      <Field
        label="Name of the order"
        name="order"
        value={orderName}
        onChange={setOrderName}
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
          options={(agents.data ?? []).map((agent) => ({
            value: agent.agentId,
            label: agent.agent_name,
          }))}
          onChange={setChosen}
        />
      )}
      <div className="pair">
        <Field
          label="Fee"
          name="fee"
          value={feeText}
          onChange={setFeeText}
          isNumber
          error={fee === undefined && isMoney ? "An amount from 0" : undefined}
        />
        <MoneyCodeField value={money} onChange={setMoney} />
      </div>
      <div className="pair">
        <Field
          label="Credits that come with it"
          name="credits"
          value={creditText}
          onChange={setCreditText}
          isNumber
          error={credits === undefined ? "An amount from 0, with at most 6 decimals" : undefined}
        />
        <Field label="Of" name="currency" value={currency} onChange={setCurrency} isCode maxLength={200} />
      </div>
      <div className="pair">
        <Field label="Starts" name="start" type="date" value={startDate} onChange={setStartDate} />
        <Choice label="Payment" value={payment} options={payments} onChange={setPayment} />
      </div>
      <Effect>
        <p>
          {words({ amount: fee ?? 0, money, credits: credits ?? 0, currency, isPaid: payment === "paid" })} An
          active order of this agent {payment === "paid" ? "ends now" : "ends when this one is paid"}.
        </p>
        <p className="quiet">
          {payment === "paid"
            ? "It cannot be undone: a credit note takes back what was paid."
            : "Until it is paid the order can be cancelled."}
        </p>
      </Effect>
    </FormDialog>
  );
}

interface Order {
  readonly agent: string;
  /** Minor units. */
  readonly amount: number;
  readonly benefit: number;
}

function words({
  amount,
  money,
  credits,
  currency,
  isPaid,
}: {
  readonly amount: number;
  readonly money: string;
  readonly credits: number;
  readonly currency: string;
  readonly isPaid: boolean;
}): string {
  const owed = formatMoney(amount, money);
  const given = credits === 0 ? undefined : `${formatCredits(credits)} ${currency}`;
  return isPaid
    ? `An invoice of ${owed} is made, and is paid.${given === undefined ? "" : ` ${given} can be spent at once.`}`
    : `An invoice makes ${owed} due.${given === undefined ? "" : ` ${given} are pending until it is paid.`}`;
}
