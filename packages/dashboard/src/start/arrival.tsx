import type { AdminUsage } from "@creditgate/admin";
import { Link } from "@tanstack/react-router";
import { useOrganizationId } from "../api/account.ts";
import { useAnswer } from "../api/query.ts";
import { keysQuery } from "../keys/key.ts";
import { formatCredits } from "../parts/amounts.ts";
import { Icon } from "../parts/icon.tsx";
import { formatAgo } from "../parts/time.tsx";

/** Waits for the first request, and says what to look at where none arrives. */
export function Waiting() {
  const { data: keys = [] } = useAnswer(keysQuery);
  const used = keys.flatMap(({ lastUsedAt }) => lastUsedAt ?? []).toSorted();
  const last = used.at(-1);
  return (
    <>
      <div className="waiting" role="status">
        <span className="pulse accent" aria-hidden="true" />
        <div>
          <b>Waiting for the first request …</b>
          <br />
          <span className="quiet">
            Start your application and ask it something. This page sees it arrive.
          </span>
        </div>
      </div>
      <details className="small help">
        <summary className="link">Nothing arrives?</summary>
        <ul>
          <li>
            {last === undefined
              ? "No key has been used yet: look whether CREDITGATE_API_KEY reaches your application, and whether it reaches this address."
              : `A key was used ${formatAgo(last)}, so the application reaches us. Usage is reported when the response has ended: look whether the handler calls credits.report().`}
          </li>
          <li>
            401 of the control plane is a wrong key. 402 of your application is a wallet that cannot pay.
          </li>
          <li>
            <code>npx -p @creditgate/control-plane creditgate doctor</code> tries it as a gate would, and says
            what to do.
          </li>
        </ul>
      </details>
    </>
  );
}

/** What has become of the first request. */
export function Arrived({ usage }: { readonly usage: AdminUsage }) {
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
          {outcomes[outcome ?? ""] ?? "which are settled in a moment"}.
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
  wallet_missing: "and there is no wallet in this currency to pay it",
};
