import type { AdminIndicator, Rates } from "@creditgate/admin";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAnswer, useOrganizationId } from "../api/query.ts";
import { formatCount } from "../parts/amounts.ts";
import { Badge } from "../parts/badge.tsx";
import { Name } from "../parts/name.tsx";
import { Amount, column, None, Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { indicatorSumsQuery } from "./queries.ts";
import { RateText } from "./rate-cell.tsx";
import { type Component, isZero, namedRates } from "./rates.ts";

interface IndicatorTableProps {
  readonly agentId: string;
  readonly indicators: readonly AdminIndicator[];
  readonly chosen: string | undefined;
}

/** The indicators of an agent with what they cost now. A row shows its price's history below. */
export function IndicatorTable({ agentId, indicators, chosen }: IndicatorTableProps) {
  const { data: sums } = useAnswer(indicatorSumsQuery, agentId);
  const eventsOf = (name: string) =>
    sums?.filter((sum) => sum.indicator === name).reduce((all, { events }) => all + events, 0);
  return (
    <Table
      look="rows indicators"
      caption="Indicators by name, with their prices in credits"
      rows={indicators}
      idOf={({ name }) => name}
      rowLook={({ name }) => (name === chosen ? { "aria-selected": true, className: "chosen" } : {})}
      columns={(column) => [
        column("Indicator", { isName: true, look: "mono" }, (indicator) => (
          <IndicatorName agentId={agentId} indicator={indicator} isChosen={indicator.name === chosen} />
        )),
        column("Billing", { from: 1 }, ({ billing, price }) => <Billing billing={billing} price={price} />),
        rate("Per event", "perEvent"),
        rate(<PerThousand of="input" />, "perThousandInputTokens"),
        rate(<PerThousand of="output" />, "perThousandOutputTokens"),
        { ...rate("Per 1,000 cached", "perThousandCachedTokens"), from: 1 },
        column("Effective since", { from: 2 }, ({ validFrom, version }) => (
          <>
            <Day at={validFrom} /> <span className="quiet">v{version}</span>
          </>
        )),
        column(
          "Events, 30 d",
          { isNumber: true, from: 3 },
          ({ name }) => sums !== undefined && <Amount of={eventsOf(name) ?? 0} format={formatCount} />,
        ),
      ]}
    />
  );
}

/** A rate; without one if nothing is debited. */
function rate(header: ReactNode, component: Component) {
  return column<AdminIndicator>(header, { isNumber: true }, ({ billing, price }) =>
    billing === "CREDITS" ? <RateText price={price} component={component} /> : <None>–</None>,
  );
}

function PerThousand({ of }: { readonly of: string }) {
  return (
    <>
      <span className="p1i">Per 1,000 </span>
      <span className="phone">1k </span>
      {of}
    </>
  );
}

interface IndicatorNameProps {
  readonly agentId: string;
  readonly indicator: AdminIndicator;
  readonly isChosen: boolean;
}

function IndicatorName({ agentId, indicator: { name, price, modelPrices }, isChosen }: IndicatorNameProps) {
  const organizationId = useOrganizationId();
  const differ = modelPrices.length;
  const notes = [othersOf(price), differ > 0 && `${differ} model${differ > 1 ? "s differ" : " differs"}`];
  const note = notes.filter(Boolean).join("; ");
  return (
    <>
      <Link
        className="cover"
        to="/organizations/$organizationId/agents"
        params={{ organizationId }}
        search={{ agent: agentId, indicator: name }}
        resetScroll={false}
        aria-current={isChosen ? "true" : undefined}
      >
        <Name>{name}</Name>
      </Link>
      {note !== "" && <span className="sub plain">{note}</span>}
    </>
  );
}

function Billing({ billing, price }: { readonly billing: string; readonly price: Rates }) {
  if (billing !== "CREDITS") return <Badge>Recorded</Badge>;
  return namedRates(price).every(({ rate }) => isZero(rate)) ? (
    <Badge>Free</Badge>
  ) : (
    <Badge tone="accent">Credits</Badge>
  );
}

/** What has a price and no column. */
function othersOf({
  perEvent: _,
  perThousandInputTokens: _input,
  perThousandOutputTokens: _output,
  perThousandCachedTokens: _cached,
  ...others
}: Rates): string {
  const names = namedRates(others).map(({ name }) => name.toLowerCase());
  return names.length === 0 ? "" : `also ${names.join(", ")}`;
}
