import { type AdminAgent, type AdminCurrency, adminCurrency, type UsageSum } from "@creditgate/admin";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEdit } from "../api/edit.ts";
import { useAnswer, useMay, useOrganization, useOrganizationId } from "../api/query.ts";
import { currenciesQuery } from "../customers/queries.ts";
import { formatUnitPrice, parseUnitPrice } from "../parts/amounts.ts";
import { TextButton } from "../parts/button.tsx";
import { Choice, Field, isMoneyCode, MoneyCodeField } from "../parts/field.tsx";
import { DialogButton, Effect, FormDialog } from "../parts/form-dialog.tsx";
import { Name } from "../parts/name.tsx";
import { Page } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/table.tsx";
import { notify } from "../parts/toasts.tsx";
import { AgentDialog } from "./agent-dialog.tsx";
import { AgentView } from "./agent-view.tsx";
import { agentSumsQuery, agentsQuery } from "./queries.ts";

const route = "/shell/organizations/$organizationId/agents";

export function AgentsPage() {
  const organizationId = useOrganizationId();
  const navigate = useNavigate({ from: "/organizations/$organizationId/agents" });
  const mayChange = useMay("money");
  const { data: currencies = [] } = useQuery({ ...currenciesQuery(organizationId), enabled: mayChange });
  const search = useSearch({ from: route });
  const agents = useInfiniteQuery(agentsQuery(organizationId));
  const create = mayChange && (
    <DialogButton text="New agent" look="primary" icon="plus" data-key="n">
      <AgentDialog onDone={(agent) => void navigate({ search: { agent: agent.agentId } })} />
    </DialogButton>
  );
  return (
    <Page
      title="Agents and prices"
      actions={
        mayChange && (
          <>
            <DialogButton text="Credit price" isDisabled={currencies.length === 0}>
              <CreditPriceDialog currencies={currencies} />
            </DialogButton>
            {create}
          </>
        )
      }
    >
      <Loaded query={agents} failure="The agents could not be loaded. Usage is priced all the same.">
        {(known) => {
          const agentId = search.agent ?? known[0]?.agentId;
          return agentId === undefined ? (
            <Empty title="No agents yet" action={create}>
              An agent is the part of your product that does the work, such as a chat or a phone line. Its
              indicators are what you bill for, each with a price.
            </Empty>
          ) : (
            <div className="agents">
              <AgentPicker
                agents={known}
                chosen={agentId}
                more={agents.hasNextPage ? () => void agents.fetchNextPage() : undefined}
              />
              <AgentView key={agentId} agentId={agentId} indicator={search.indicator} />
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}

interface AgentPickerProps {
  readonly agents: readonly AdminAgent[];
  readonly chosen: string;
  /** Loads more of them, where there are more. */
  readonly more: (() => void) | undefined;
}

/** The agents, each with what it has cost in 30 days. */
function AgentPicker({ agents, chosen, more }: AgentPickerProps) {
  const organizationId = useOrganizationId();
  const { data: sums } = useAnswer(agentSumsQuery);
  return (
    <nav className="section" aria-label="Agents">
      <ul className="picker">
        {agents.map(({ agentId, agentName, indicators }) => (
          <li key={agentId}>
            <Link
              to="/organizations/$organizationId/agents"
              params={{ organizationId }}
              search={{ agent: agentId }}
              resetScroll={false}
              aria-current={agentId === chosen ? "true" : undefined}
            >
              <b>
                <Name>{agentName}</Name>
              </b>
              <small className="r" title="In the last 30 days">
                {sums === undefined ? "" : creditsOf(sums, agentId)}
              </small>
              <small className="mono">{agentId}</small>
              <small className="r">
                {indicators} indicator{indicators === 1 ? "" : "s"}
              </small>
            </Link>
          </li>
        ))}
      </ul>
      {more !== undefined && (
        <div>
          <TextButton text="More agents" look="sm" onPress={more} />
        </div>
      )}
    </nav>
  );
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Credits of two currencies cannot be added: then those of the one that is used most. */
function creditsOf(sums: readonly UsageSum[], agentId: string): string {
  const most = Math.max(0, ...sums.filter((sum) => sum.agentId === agentId).map(({ credits }) => credits));
  return most === 0 ? "no credits" : `${compact.format(most)} credits`;
}

/** Sets what a credit costs in money, for the invoices of postpaid wallets. */
function CreditPriceDialog({
  currencies,
}: {
  /** At least one. */
  currencies: readonly AdminCurrency[];
}) {
  const organization = useOrganization();
  const named = (name: string) => currencies.find((one) => one.creditCurrencyKey === name);
  const edit = useEdit<AdminCurrency | undefined, Values, unknown>({
    record: currencies[0],
    schema: adminCurrency,
    valuesOf: (currency) => ({ text: "", money: currency?.unitPrice?.currency ?? "EUR" }),
    labels: { unitPrice: "Price per credit", name: "Name" },
    async send(_, seen) {
      if (amount === undefined) return;
      const unitPrice = { amount, currency: money };
      await organization.currencies.set({ ...seen, creditCurrencyKey: key, unitPrice });
    },
    untrue: ["currencies"],
    onDone: (): void => notify(`Credit price of ${key} set to ${text.trim()} ${money}`),
  });
  const { creditCurrencyKey: key = "", unitPrice: price = null } = edit.record ?? {};
  const { text, money } = edit.values;
  const isMoney = isMoneyCode(money);
  const amount = isMoney ? parseUnitPrice(text, money) : undefined;
  return (
    <FormDialog
      title="Credit price"
      action={amount === undefined ? "Set price" : `Set ${text.trim()} ${money} per credit`}
      isReady={amount !== undefined}
      form={edit}
      failure="The price was not set."
    >
      <Choice
        label="Credit currency"
        value={key}
        options={currencies.map((one) => ({ value: one.creditCurrencyKey, label: one.creditCurrencyKey }))}
        onChange={(name) => edit.begin(named(name))}
        hint={
          price === null
            ? "No price in money yet."
            : `Currently ${formatUnitPrice(price.amount, price.currency)} ${price.currency} per credit.`
        }
      />
      <div className="pair">
        <Field
          {...edit.bind("text")}
          label="Price per credit"
          isNumber
          autoFocus
          error={
            text === "" || !isMoney || amount !== undefined
              ? undefined
              : "Enter an amount of 0 or more, such as 0.25"
          }
        />
        <MoneyCodeField {...edit.bind("money")} />
      </div>
      <Effect>
        <p>
          Invoices of postpaid wallets use it for usage from now on{" "}
          {price === null ? " and for earlier usage that is not invoiced yet" : ""}. Prepaid wallets do not
          change: each order has its own price.
        </p>
      </Effect>
    </FormDialog>
  );
}

interface Values {
  readonly text: string;
  readonly money: string;
}
