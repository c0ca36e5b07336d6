import type { ReactNode } from "react";
import { Ago } from "../parts/ago.tsx";
import { Badge } from "../parts/badge.tsx";
import { formatCount, formatCredits } from "../parts/credits.ts";
import { Fine } from "../parts/fine.tsx";
import { type Application, rate, shareOf } from "./application.ts";

/** The gates of which something was heard within the last hour. */
export function GateTable({
  applications,
  minutes,
}: {
  readonly applications: readonly Application[];
  readonly minutes: number;
}): ReactNode {
  return (
    <section className="section" aria-labelledby="connected">
      <header>
        <h2 id="connected">Connected</h2>
        <span className="quiet small">by heartbeat</span>
      </header>
      <table>
        <caption className="unseen">Gates by name</caption>
        <thead>
          <tr>
            <th scope="col">Gate</th>
            <th scope="col" className="p2">
              Version
            </th>
            <th scope="col" className="r">
              A second
            </th>
            <th scope="col" className="r">
              Denied
            </th>
            <th scope="col" className="r p1">
              Held, credits
            </th>
            <th scope="col" className="r p2">
              Outbox
            </th>
            <th scope="col" className="r p2">
              Parked
            </th>
            <th scope="col" className="r p2">
              Dead
            </th>
            <th scope="col" className="r p3">
              <abbr title="Reports that a balance did not show in time">Late</abbr>
            </th>
            <th scope="col" className="r p3">
              Heard
            </th>
            <th scope="col" className="p1">
              State
            </th>
          </tr>
        </thead>
        <tbody>
          {applications.map((application) => (
            <Row key={application.name} application={application} minutes={minutes} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({
  application,
  minutes,
}: {
  readonly application: Application;
  readonly minutes: number;
}): ReactNode {
  const { name, platform, instances, versions, decisions, denied, held, queued, parked, dead } = application;
  const what = [platform, `${instances} instance${instances === 1 ? "" : "s"}`].filter(Boolean).join(", ");
  return (
    <tr>
      <th scope="row">
        {name}
        <span className="sub">{what}</span>
        <span className="phone">
          <State application={application} />
        </span>
      </th>
      <td className="p2 breaks">{versions.join(", ")}</td>
      <td className={quietIf(decisions === 0)}>{rate(decisions, minutes)}</td>
      <td className={quietIf(denied === 0)}>{shareOf(denied, decisions)}</td>
      <td className={`${quietIf(held === 0)} p1`}>{formatCredits(held)}</td>
      <Count count={queued} className="r p2" />
      <Count count={parked} className="r p2" />
      <Count count={dead} className="r p2" tone="dead" />
      <Count count={application.late} className="r p3" />
      <td className="r p3 quiet">
        <Ago at={application.heardAt} />
      </td>
      <td className="p1">
        <State application={application} />
      </td>
    </tr>
  );
}

const quietIf = (isZero: boolean): string => (isZero ? "r quiet" : "r");

function Count({
  count,
  className,
  tone = "",
}: {
  readonly count: number;
  readonly className: string;
  /** Of what is not 0. */
  readonly tone?: string;
}): ReactNode {
  return (
    <td className={className}>
      <span className={count === 0 ? "zero" : tone}>{formatCount(count)}</span>
    </td>
  );
}

/** What needs a person first. */
function State({
  application: { isSilent, dead, parked, late },
}: {
  readonly application: Application;
}): ReactNode {
  if (isSilent) {
    return (
      <Badge tone="bad" icon="alert">
        Silent
      </Badge>
    );
  }
  if (dead > 0) {
    return (
      <Badge tone="bad" icon="alert">
        {formatCount(dead)} dead
      </Badge>
    );
  }
  if (parked > 0 || late > 0) {
    return (
      <Badge tone="warn" icon="warning">
        {parked > 0 ? `${formatCount(parked)} parked` : "Debits late"}
      </Badge>
    );
  }
  return <Fine>Fine</Fine>;
}
