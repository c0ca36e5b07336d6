import type { AdminIndicator, Rates } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { Badge } from "../parts/badge.tsx";
import { formatCount } from "../parts/credits.ts";
import { Day } from "../parts/time.tsx";
import { indicatorSumsQuery } from "./queries.ts";
import { RateText } from "./rate-cell.tsx";
import { isZero, namedRates } from "./rates.ts";

/** The indicators of an agent with what they cost now. A row shows its price's history below. */
export function IndicatorTable({
  agentId,
  indicators,
  chosen,
}: {
  readonly agentId: string;
  readonly indicators: readonly AdminIndicator[];
  readonly chosen: string | undefined;
}): ReactNode {
  const organizationId = useOrganizationId();
  const { data: sums } = useQuery(indicatorSumsQuery(organizationId, agentId));
  return (
    <table className="rows indicators">
      <caption className="unseen">Indicators by name, with their prices in credits</caption>
      <thead>
        <tr>
          <th scope="col">Indicator</th>
          <th scope="col" className="p1">
            Billing
          </th>
          <th scope="col" className="r">
            Per event
          </th>
          <th scope="col" className="r">
            <span className="p1i">Per 1,000 </span>
            <span className="phone">1k </span>input
          </th>
          <th scope="col" className="r">
            <span className="p1i">Per 1,000 </span>
            <span className="phone">1k </span>output
          </th>
          <th scope="col" className="r p1">
            Per 1,000 cached
          </th>
          <th scope="col" className="p2">
            In force since
          </th>
          <th scope="col" className="r p3">
            Events, 30 d
          </th>
        </tr>
      </thead>
      <tbody>
        {indicators.map((indicator) => (
          <Row
            key={indicator.name}
            agentId={agentId}
            indicator={indicator}
            isChosen={indicator.name === chosen}
            events={sums
              ?.filter((sum) => sum.indicator === indicator.name)
              .reduce((all, { events }) => all + events, 0)}
          />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  agentId,
  indicator: { name, billing, price, modelPrices, validFrom, version },
  isChosen,
  events,
}: {
  readonly agentId: string;
  readonly indicator: AdminIndicator;
  readonly isChosen: boolean;
  readonly events: number | undefined;
}): ReactNode {
  const organizationId = useOrganizationId();
  const isBilled = billing === "CREDITS";
  const others = othersOf(price);
  const differ = modelPrices.length;
  return (
    <tr aria-selected={isChosen || undefined} className={isChosen ? "chosen" : ""}>
      <th scope="row" className="mono">
        <Link
          className="cover"
          to="/organizations/$organizationId/agents"
          params={{ organizationId }}
          search={{ agent: agentId, indicator: name }}
          resetScroll={false}
          aria-current={isChosen ? "true" : undefined}
        >
          {name}
        </Link>
        {(others !== "" || differ > 0) && (
          <span className="sub plain">
            {[others, differ > 0 && `${differ} model${differ > 1 ? "s differ" : " differs"}`]
              .filter(Boolean)
              .join("; ")}
          </span>
        )}
      </th>
      <td className="p1">
        <Billing billing={billing} price={price} />
      </td>
      <td className="r">{isBilled ? <RateText price={price} component="perEvent" /> : <None />}</td>
      <td className="r">
        {isBilled ? <RateText price={price} component="perThousandInputTokens" /> : <None />}
      </td>
      <td className="r">
        {isBilled ? <RateText price={price} component="perThousandOutputTokens" /> : <None />}
      </td>
      <td className="r p1">
        {isBilled ? <RateText price={price} component="perThousandCachedTokens" /> : <None />}
      </td>
      <td className="p2">
        <Day at={validFrom} /> <span className="quiet">v{version}</span>
      </td>
      <td className="r p3">
        {events !== undefined && <span className={events === 0 ? "zero" : ""}>{formatCount(events)}</span>}
      </td>
    </tr>
  );
}

/** No price at all, as there is none where nothing is debited. */
function None(): ReactNode {
  return <span className="zero">–</span>;
}

function Billing({ billing, price }: { readonly billing: string; readonly price: Rates }): ReactNode {
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
