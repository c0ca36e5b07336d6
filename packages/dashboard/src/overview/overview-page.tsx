import type { UsageSeriesAnswer } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useAnswer, useOrganizationId } from "../api/query.ts";
import { NoUsage } from "../customer/usage-list.tsx";
import { currenciesQuery } from "../customers/queries.ts";
import { formatCredits, formatPercent } from "../parts/amounts.ts";
import { Failure } from "../parts/failure.tsx";
import { Name } from "../parts/name.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { FilterOnceKnown, Segments } from "../parts/toolbar.tsx";
import { AgeChart, AgeLegend } from "./age-chart.tsx";
import { AttentionList, mattersOf } from "./attention-list.tsx";
import { Denials, OverviewFigures, Part } from "./overview-figures.tsx";
import {
  attentionQuery,
  gateStatesQuery,
  type Period,
  periods,
  refusalsQuery,
  settlementAgesQuery,
  settlementQuery,
  urgentWalletsQuery,
  usageSeriesQuery,
  usualPeriod,
} from "./queries.ts";
import { UsageChart } from "./usage-chart.tsx";

const route = "/shell/organizations/$organizationId/overview";

/** How the organisation is: what is used, by whom, how far settlement is, and what needs somebody. */
export function OverviewPage() {
  const { period = usualPeriod, currency: asked } = useSearch({ from: route });
  const navigate = useNavigate({ from: "/organizations/$organizationId/overview" });
  const currencies = useAnswer(currenciesQuery);
  const known = currencies.data?.map((one) => one.creditCurrencyKey) ?? [];
  const currency = asked ?? known[0];
  const set = (search: { period?: Period; currency?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...search }), replace: true });
  return (
    <Page
      title="Overview"
      actions={
        <>
          {/* First: what comes later moves nothing. */}
          <FilterOnceKnown
            label="Currency"
            value={currency}
            known={currencies.isPending ? undefined : known}
            onChange={(chosen) => set({ currency: chosen })}
          />
          <Segments
            label="Period"
            value={period}
            options={periodOptions}
            onChange={(chosen) => set({ period: chosen })}
          />
        </>
      }
    >
      {currencies.isError && (
        <Failure
          error={currencies.error}
          what="The overview could not be loaded."
          onRetry={() => void currencies.refetch()}
        />
      )}
      {currencies.isSuccess && currency === undefined ? (
        <NoUsage />
      ) : (
        !currencies.isError && <Overview period={period} currency={currency} />
      )}
    </Page>
  );
}

const periodOptions = (["24h", "7d", "30d", "90d"] as const).map((value) => ({
  value,
  label: periods[value].label,
}));

interface OverviewProps {
  readonly period: Period;
  /** Absent while it is not known. */
  readonly currency: string | undefined;
}

function Overview({ period, currency }: OverviewProps) {
  const organizationId = useOrganizationId();
  const { by = "agent" } = useSearch({ from: route });
  const navigate = useNavigate({ from: "/organizations/$organizationId/overview" });
  const series = (of: "agent" | "customer") => ({
    ...usageSeriesQuery(organizationId, of, currency ?? "", period),
    enabled: currency !== undefined,
  });
  const agents = useQuery(series("agent"));
  const customers = useQuery(series("customer"));
  const usage = by === "agent" ? agents : customers;
  const refusals = useAnswer(refusalsQuery, period);
  const ages = useAnswer(settlementAgesQuery);
  const { unit, length, label } = periods[period];
  return (
    <>
      <OverviewFigures period={period} usage={agents.data} refusals={refusals.data} ages={ages.data} />
      <div className="cols-2-1">
        <section className="section" aria-labelledby="used">
          <header>
            <h2 id="used">Credits used, by {by}</h2>
            <span className="quiet small wide">
              per {unit}, last {length} {unit}s
            </span>
            <span className="end">
              <Segments
                label="Bars"
                value={by}
                options={[
                  { value: "agent", label: "Agents" },
                  { value: "customer", label: "Customers" },
                ]}
                onChange={(chosen) =>
                  void navigate({
                    search: ({ by: _, ...rest }) => (chosen === "customer" ? { ...rest, by: chosen } : rest),
                    replace: true,
                  })
                }
              />
            </span>
          </header>
          <Part query={usage} what="The usage could not be loaded." height="chart">
            {(data) => <UsageChart usage={data} />}
          </Part>
        </section>
        <Attention />
      </div>
      <div className="cols-3 rule">
        <Section id="ages" title="Settlement lag" end={<span className="end quiet">24 h</span>}>
          <Part query={ages} what="The settlement lag could not be loaded." height="small-chart">
            {(data) => (
              <>
                <AgeChart settlement={data} />
                <AgeLegend />
              </>
            )}
          </Part>
        </Section>
        <Denials refusals={refusals} label={label} />
        <Section
          id="most"
          title="Top customers"
          end={
            <Link
              className="end link"
              to="/organizations/$organizationId/customers"
              params={{ organizationId }}
            >
              All customers
            </Link>
          }
        >
          <Part query={customers} what="The customers could not be loaded." height="list">
            {(data) => <TopCustomers usage={data} label={label} />}
          </Part>
        </Section>
      </div>
    </>
  );
}

function Attention() {
  const organizationId = useOrganizationId();
  const attention = useAnswer(attentionQuery);
  const exhausted = useAnswer(urgentWalletsQuery, "exhausted");
  const low = useAnswer(urgentWalletsQuery, "low");
  const settlement = useAnswer(settlementQuery);
  const gates = useAnswer(gateStatesQuery);
  // All of it, or nothing: the list does not move under the eye.
  const isWhole = exhausted.data !== undefined && low.data !== undefined && !gates.isPending;
  const matters =
    isWhole && attention.data !== undefined
      ? mattersOf(organizationId, {
          attention: attention.data,
          settlement: settlement.data,
          exhausted: exhausted.data.wallets,
          low: low.data.wallets,
          gates: gates.data?.gates ?? [],
          now: settlement.dataUpdatedAt,
        })
      : undefined;
  return (
    <Section
      id="attention"
      title="Needs attention"
      end={matters !== undefined && matters.length > 0 && <span className="end quiet">{matters.length}</span>}
    >
      <Part query={{ ...attention, data: matters }} what="This could not be loaded." height="list">
        {(data) => <AttentionList matters={data} />}
      </Part>
    </Section>
  );
}

/** The customers that used most. */
function TopCustomers({
  usage,
  label,
}: {
  readonly usage: UsageSeriesAnswer;
  /** The period: "30 d". */
  readonly label: string;
}) {
  const organizationId = useOrganizationId();
  const { series, total, creditCurrencyKey } = usage;
  if (series.length === 0) return <p className="quiet small">No usage in this period.</p>;
  return (
    <Table
      rows={series}
      idOf={({ id }) => id}
      columns={(column) => [
        column("Customer", { isName: true }, ({ id, name }) => (
          <Link
            to="/organizations/$organizationId/customers/$customerId"
            params={{ organizationId, customerId: id }}
            search={{ wallet: creditCurrencyKey }}
          >
            <Name>{name}</Name>
          </Link>
        )),
        column(`Credits, ${label}`, { isNumber: true }, ({ credits }) => formatCredits(credits)),
        column("Share", { isNumber: true }, ({ credits }) =>
          total.credits === 0 ? "" : formatPercent(credits / total.credits),
        ),
      ]}
    />
  );
}
