import type { ReactNode } from "react";
import { formatCount, formatCredits } from "../parts/amounts.ts";
import { Badge, Fine } from "../parts/badge.tsx";
import { Section } from "../parts/page.tsx";
import { column, Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { type Application, rate, shareOf } from "./application.ts";

type Counted = "queued" | "parked" | "dead" | "late";

function count(header: ReactNode, of: Counted, from: 2 | 3, tone = "") {
  return column<Application>(header, { isNumber: true, from }, (one) => (
    <span className={one[of] === 0 ? "zero" : tone}>{formatCount(one[of])}</span>
  ));
}

const quietIf = (isQuiet: boolean) => (isQuiet ? "quiet" : "");

/** The gates that sent a heartbeat within the last hour. */
export function GateTable({
  applications,
  minutes,
}: {
  readonly applications: readonly Application[];
  readonly minutes: number;
}) {
  return (
    <Section id="connected" title="Connected" end={<span className="quiet small">by heartbeat</span>}>
      <Table
        caption="Gates by name"
        rows={applications}
        idOf={({ name }) => name}
        columns={(column) => [
          column("Gate", { isName: true }, (application) => (
            <>
              {application.name}
              <span className="sub">{whatOf(application)}</span>
              <span className="phone">
                <State application={application} />
              </span>
            </>
          )),
          column("Version", { from: 2, look: "breaks" }, ({ versions }) => versions.join(", ")),
          column(
            "A second",
            { isNumber: true, look: ({ decisions }) => quietIf(decisions === 0) },
            ({ decisions }) => rate(decisions, minutes),
          ),
          column(
            "Denied",
            { isNumber: true, look: ({ denied }) => quietIf(denied === 0) },
            ({ denied, decisions }) => shareOf(denied, decisions),
          ),
          column(
            "Held, credits",
            { isNumber: true, from: 1, look: ({ held }) => quietIf(held === 0) },
            ({ held }) => formatCredits(held),
          ),
          count("Outbox", "queued", 2),
          count("Parked", "parked", 2),
          count("Dead", "dead", 2, "dead"),
          count(<abbr title="Reports that a balance did not show in time">Late</abbr>, "late", 3),
          column("Heartbeat", { isNumber: true, from: 3, look: "quiet" }, ({ heardAt }) => (
            <Ago at={heardAt} />
          )),
          column("State", { from: 1 }, (application) => <State application={application} />),
        ]}
      />
    </Section>
  );
}

function whatOf({ platform, instances }: Application): string {
  return [platform, `${instances} instance${instances === 1 ? "" : "s"}`].filter(Boolean).join(", ");
}

/** What needs a person first. */
function State({ application: { isSilent, dead, parked, late } }: { application: Application }) {
  if (isSilent) return <Badge tone="bad">Silent</Badge>;
  if (dead > 0) return <Badge tone="bad">{formatCount(dead)} dead</Badge>;
  if (parked > 0) return <Badge tone="warn">{formatCount(parked)} parked</Badge>;
  return late > 0 ? <Badge tone="warn">Debits late</Badge> : <Fine>Fine</Fine>;
}
