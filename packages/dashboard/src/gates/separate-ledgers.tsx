import type { AdminSeparateLedger, AdminSeparateLedgers } from "@creditgate/admin";
import { formatCount } from "../parts/amounts.ts";
import { Icon } from "../parts/icon.tsx";
import { CustomerLink } from "../parts/links.tsx";
import { Ago } from "../parts/time.tsx";

/** Processes that can overspend a wallet together, and how to mend it; absent if there are none. */
export function SeparateLedgers({ separate }: { readonly separate: AdminSeparateLedgers }) {
  const { ledgers, wallets, guarded } = separate;
  return (
    <>
      {ledgers.length > 0 && (
        <div className="note bad" role="alert">
          <Icon name="alert" />
          <div>
            <b>{formatCount(ledgers.length)} ledgers spend the same wallets, and share nothing.</b> Together
            they can overspend a wallet. Give <code>createGate()</code> in each process one shared ledger, on
            Redis, PostgreSQL or Durable Objects: “Many processes” in the README of @creditgate/core.
            <ul className="plain" aria-label="Separate ledgers">
              {ledgers.map((one) => (
                <li key={one.processId ?? one.ledger}>
                  <Ledger of={one} />, last usage <Ago at={one.lastAt} />
                </li>
              ))}
            </ul>
            Wallets of{" "}
            {wallets.map(({ customerId, currency }, index) => (
              <span key={JSON.stringify([customerId, currency])}>
                {index > 0 && ", "}
                <CustomerLink customerId={customerId} /> (<span className="mono">{currency}</span>)
              </span>
            ))}
          </div>
        </div>
      )}
      {guarded && (
        <p className="note">
          Isolates with a guard spend wallets. Together they can overspend one by what its guard allows each
          of them.
        </p>
      )}
    </>
  );
}

function Ledger({ of: { ledger, processId } }: { readonly of: AdminSeparateLedger }) {
  if (ledger === "shared") return "A shared ledger";
  if (ledger === "guard") return "Isolates with a guard";
  return (
    <>
      In the memory of process <span className="mono breaks">{processId}</span>
    </>
  );
}
