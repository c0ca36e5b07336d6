import type { AdminIndicator, AdminWallet } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { describePrice } from "../agents/rates.ts";
import { useMay, useOrganizationId } from "../api/account.ts";
import { useAnswer } from "../api/query.ts";
import { describeWallet } from "../customers/wallet.ts";
import { Badge } from "../parts/badge.tsx";
import { Icon } from "../parts/icon.tsx";
import { bone, Loaded } from "../parts/listing.tsx";
import { useTitle } from "../parts/page.tsx";
import { AgentStep } from "./agent-step.tsx";
import { Arrived, Waiting } from "./arrival.tsx";
import { CustomerStep } from "./customer-step.tsx";
import { firstUsageQuery, type Setup, setupQuery } from "./queries.ts";
import { RequestStep } from "./request-step.tsx";

const pollMs = 1_000;

/** Leads an organisation from nothing to a gated request. */
export function StartPage() {
  useTitle("Get started");
  const setup = useAnswer(setupQuery);
  return (
    <div className="wrap">
      <div className="first">
        <div className="head intro">
          <div>
            <h1>From nothing to a gated request</h1>
            <p className="quiet">
              Three steps, about four minutes. Names, limits and prices can be changed later; IDs, the kind of
              a wallet and its currency cannot.
            </p>
          </div>
        </div>
        <Loaded query={setup} failure="What there is could not be loaded." pending={bone}>
          {(known) => <Steps setup={known} />}
        </Loaded>
      </div>
    </div>
  );
}

function Steps({ setup }: { readonly setup: Setup }) {
  const { customer, wallet, agent, indicator } = setup;
  const organizationId = useOrganizationId();
  const mayChange = useMay("money");
  const isReady = wallet !== undefined && indicator !== undefined;
  const { data: usage } = useQuery({
    ...firstUsageQuery(organizationId),
    // Until it has come, and been settled.
    refetchInterval: ({ state }) => (isReady && state.data?.outcome == null ? pollMs : false),
  });
  const currency = wallet?.creditCurrencyKey ?? indicator?.currency ?? "ai_credits";
  const forbidden = (
    <p className="small quiet">Your role does not allow this step. One who may change prices does it.</p>
  );
  return (
    <>
      <Step number={1} title="A customer with a wallet" state={wallet === undefined ? "now" : "done"}>
        {customer !== undefined && wallet !== undefined ? (
          <p className="done-line">
            <b>{customer.name}</b>
            <code>{customer.externalId}</code>
            <Badge>{wallet.kind === "postpaid" ? "Postpaid" : "Prepaid"}</Badge>
            <span>
              {describeWallet(wallet)} {wallet.creditCurrencyKey}
            </span>
            <Link
              className="link"
              to="/organizations/$organizationId/customers/$customerId"
              params={{ organizationId, customerId: customer.externalId }}
            >
              Change
            </Link>
          </p>
        ) : mayChange ? (
          <CustomerStep key={customer?.externalId} customer={customer} initialCurrency={currency} />
        ) : (
          forbidden
        )}
      </Step>
      <Step
        number={2}
        title="An agent with a price"
        state={indicator !== undefined ? "done" : wallet === undefined ? "later" : "now"}
      >
        {agent !== undefined && indicator !== undefined ? (
          <p className="done-line">
            <b>{agent.agentName}</b>
            <code>{agent.agentId}</code>
            <code>{indicator.name}</code>
            <span>{describePrice(indicator.price)}</span>
            <Link
              className="link"
              to="/organizations/$organizationId/agents"
              params={{ organizationId }}
              search={{ agent: agent.agentId, indicator: indicator.name }}
            >
              Change
            </Link>
          </p>
        ) : wallet === undefined ? undefined : mayChange ? (
          <AgentStep key={agent?.agentId} agent={agent} currency={currency} />
        ) : (
          forbidden
        )}
      </Step>
      <Step number={3} title="The first request" state={usage ? "done" : isReady ? "now" : "later"}>
        {isReady && customer !== undefined && agent !== undefined && (
          <RequestStep
            facts={{
              baseUrl: location.origin,
              customerId: customer.externalId,
              currency,
              kind: wallet.kind,
              agentId: agent.agentId,
              indicator: indicator.name,
              hold: holdOf(indicator, wallet),
            }}
          />
        )}
        {usage ? <Arrived usage={usage} /> : isReady && <Waiting />}
      </Step>
    </>
  );
}

/** Enough for a thousand tokens each way and more, and no more than a small wallet can pay. */
function holdOf({ price }: AdminIndicator, wallet: AdminWallet): number {
  const rates = [price.perEvent, price.perThousandInputTokens, price.perThousandOutputTokens];
  const enough = Math.ceil(rates.reduce<number>((sum, rate) => sum + Number(rate ?? 0), 0)) + 2;
  const limit = wallet.kind === "postpaid" ? wallet.postpaidLimit : wallet.available;
  return limit >= 1 ? Math.min(enough, Math.floor(limit)) : enough;
}

/** A step of three: done, to be done now, or later. */
function Step({
  number,
  title,
  state,
  children,
}: {
  readonly number: number;
  readonly title: string;
  readonly state: "done" | "now" | "later";
  readonly children?: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`step ${state}`} aria-labelledby={id}>
      <span className="n" aria-hidden="true">
        {state === "done" ? <Icon name="check" /> : number}
      </span>
      <h2 id={id}>
        {title}
        {state === "done" && <span className="unseen">, done</span>}
      </h2>
      {children}
    </section>
  );
}
