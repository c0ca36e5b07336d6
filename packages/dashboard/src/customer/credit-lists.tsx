import type { AdminAllowance, AdminGrant } from "@creditgate/admin";
import { useAnswer } from "../api/query.ts";
import { allowancesQuery, grantsQuery } from "../customers/queries.ts";
import { formatTerms } from "../orders/benefit-terms.ts";
import { formatCredits, fromMicro, toMicro } from "../parts/amounts.ts";
import { Badge, Fine } from "../parts/badge.tsx";
import { OrderLink } from "../parts/links.tsx";
import { Section } from "../parts/page.tsx";
import { Empty, Loaded, None, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";

/** Which credits of a customer expire, when, and which come again. */
export function CreditLists({ customerId }: { readonly customerId: string }) {
  const grants = useAnswer(grantsQuery, customerId);
  const allowances = useAnswer(allowancesQuery, customerId);
  return (
    <>
      <Section
        id="grants"
        title="Expiring credits"
        lead="The next to expire first. All other credits never expire."
      >
        <Loaded query={grants} failure="The credits that expire could not be loaded.">
          {(rows) => (rows.length === 0 ? noGrants : <GrantTable grants={rows} />)}
        </Loaded>
      </Section>
      <Section id="allowances" title="Recurring credits">
        <Loaded query={allowances} failure="The credits that recur could not be loaded.">
          {(rows) =>
            rows.length === 0 ? noAllowances : <AllowanceTable allowances={rows} grants={grants.data ?? []} />
          }
        </Loaded>
      </Section>
    </>
  );
}

const noGrants = (
  <Empty title="No expiring credits">Orders, and grants through the API, can give credits that expire.</Empty>
);
const noAllowances = (
  <Empty title="No recurring credits">
    Orders, and allowances through the API, can give credits each day, week or month.
  </Empty>
);

function GrantTable({ grants }: { readonly grants: readonly AdminGrant[] }) {
  return (
    <Table
      caption="Credits that expire, the next to expire first"
      rows={grants}
      idOf={({ grantId }) => grantId}
      columns={(column) => [
        column("Currency", { isName: true, look: "mono breaks" }, (grant) => grant.creditCurrencyKey),
        column("Remaining", { isNumber: true }, ({ remaining, credits }) => (
          <>
            {formatCredits(remaining)}
            <span className="sub">{`of ${formatCredits(credits)}`}</span>
          </>
        )),
        column("Expires", { look: "quiet" }, ({ expiresAt }) =>
          expiresAt === null ? <None>never</None> : <Time at={expiresAt} />,
        ),
        column("Status", { from: 1 }, (grant) => <State grant={grant} />),
        column("From", { from: 2, look: "quiet breaks" }, (grant) => <Origin credits={grant} />),
      ]}
    />
  );
}

function State({ grant: { state, effectiveAt } }: { readonly grant: AdminGrant }) {
  if (state === "active") return <Fine>Available</Fine>;
  if (state === "expired") return <Badge tone="warn">Pays late reports only</Badge>;
  return (
    <>
      <Badge>Scheduled</Badge>
      <span className="sub">
        from <Time at={effectiveAt} />
      </span>
    </>
  );
}

function AllowanceTable({
  allowances,
  grants,
}: {
  readonly allowances: readonly AdminAllowance[];
  readonly grants: readonly AdminGrant[];
}) {
  return (
    <Table
      caption="Credits that recur"
      rows={allowances}
      idOf={({ allowanceId }) => allowanceId}
      columns={(column) => [
        column("Currency", { isName: true, look: "breaks" }, (allowance) => (
          <>
            <span className="mono">{allowance.creditCurrencyKey}</span>
            <span className="sub">{formatTerms(allowance)}</span>
          </>
        )),
        column("Next", { isNumber: true }, ({ credits }) => `+${formatCredits(credits)}`),
        column("On", { look: "quiet" }, ({ nextAt }) => nextAt !== null && <Time at={nextAt} />),
        column("Rolls over", { isNumber: true, from: 1 }, ({ grantId, rollover }) => {
          const left = grants.find((grant) => grant.grantId === grantId)?.remaining ?? 0;
          const [micro, most] = [toMicro(left), toMicro(rollover)];
          return (
            <>
              {formatCredits(fromMicro(micro < most ? micro : most))}
              <span className="sub">{`of ${formatCredits(left)} left`}</span>
            </>
          );
        }),
        column("From", { from: 2, look: "quiet breaks" }, (allowance) => <Origin credits={allowance} />),
      ]}
    />
  );
}

function Origin({ credits }: { readonly credits: Pick<AdminAllowance, "orderId" | "source"> }) {
  const { orderId, source } = credits;
  if (orderId !== null) return <OrderLink orderId={orderId}>Order</OrderLink>;
  return source === "promotion" ? "Promotion" : "Purchase";
}
