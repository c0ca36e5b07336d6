import type { AdminIndicator, AdminUsage, AdminWallet } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { describePrice } from "../agents/rates.ts";
import { useAnswer, useMay, useOrganizationId } from "../api/query.ts";
import { describeWallet } from "../customers/wallet.ts";
import { keysQuery } from "../keys/key.ts";
import { formatCredits } from "../parts/amounts.ts";
import { Badge } from "../parts/badge.tsx";
import { Icon } from "../parts/icon.tsx";
import { useTitle } from "../parts/page.tsx";
import { bone, Loaded } from "../parts/table.tsx";
import { formatAgo } from "../parts/time.tsx";
import { AgentStep } from "./agent-step.tsx";
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
            <h1>Set up your first gated request</h1>
            <p className="quiet">
              Three steps, about four minutes. You can change names, limits and prices later, but not IDs,
              wallet kinds and currencies.
            </p>
          </div>
        </div>
        <Loaded query={setup} failure="The setup could not be loaded." pending={bone}>
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
    <p className="small quiet">
      Your role does not allow this step. Ask a member with the role Money or Owner.
    </p>
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

/** Waits for the first request, and says what to look at where none arrives. */
function Waiting() {
  const { data: keys = [] } = useAnswer(keysQuery);
  const used = keys.flatMap(({ lastUsedAt }) => lastUsedAt ?? []).toSorted();
  const last = used.at(-1);
  return (
    <>
      <div className="waiting" role="status">
        <span className="pulse accent" aria-hidden="true" />
        <div>
          <b>Waiting for the first request…</b>
          <br />
          <span className="quiet">Start your application and send it a request. It appears here.</span>
        </div>
      </div>
      <details className="small help">
        <summary className="link">Nothing arriving?</summary>
        <ul>
          <li>
            {last === undefined
              ? "No key has been used yet. Check that CREDITGATE_API_KEY is set in your application and that it can reach this address."
              : `A key was used ${formatAgo(last)}, so your application reaches the control plane. Usage is reported after the response: check that the handler calls credits.report().`}
          </li>
          <li>
            A 401 from the control plane means a wrong key. A 402 from your application means insufficient
            credits.
          </li>
          <li>
            <code>npx -p @creditgate/control-plane creditgate doctor</code> runs the checks of a gate and
            suggests fixes.
          </li>
        </ul>
      </details>
    </>
  );
}

/** What has become of the first request. */
function Arrived({ usage }: { readonly usage: AdminUsage }) {
  const organizationId = useOrganizationId();
  const { customerId, agentId, indicator, credits, creditCurrencyKey: currency, outcome } = usage;
  return (
    <div className="waiting arrived" role="status">
      <Icon name="check" className="good" />
      <div>
        <b>The first request has arrived.</b>
        <br />
        <span className="quiet">
          {indicator} of {agentId} for {customerId}: {formatCredits(credits)} {currency ?? "credits"},{" "}
          {outcomes[outcome ?? ""] ?? "to be settled in a moment"}.
        </span>
      </div>
      <Link
        className="btn primary"
        to="/organizations/$organizationId/customers/$customerId"
        params={{ organizationId, customerId: customerId }}
      >
        See the wallet
      </Link>
    </div>
  );
}

const outcomes: Readonly<Record<string, string>> = {
  debited: "debited from the wallet",
  accrued: "to be invoiced at the end of the period",
  free: "which is free",
  wallet_missing: "without a wallet in this currency",
};
