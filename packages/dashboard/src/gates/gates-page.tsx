import type { GatesAnswer } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { standing } from "../api/standing.ts";
import { Bones } from "../parts/bones.tsx";
import { formatCount, formatCredits } from "../parts/credits.ts";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { Figure } from "../parts/figure.tsx";
import { keyOf } from "../parts/key-of.ts";
import { Page } from "../parts/page.tsx";
import { Segments } from "../parts/segments.tsx";
import { type Application, applicationsOf, rate, shareOf } from "./application.ts";
import { DenialBars } from "./denial-bars.tsx";
import { GateTable } from "./gate-table.tsx";
import { periods } from "./periods.ts";
import { gatesQuery } from "./queries.ts";
import { SeparateLedgers } from "./separate-ledgers.tsx";
import { WaitingReports } from "./waiting-reports.tsx";

/** The applications that say of themselves how their gates are. */
export function GatesPage(): ReactNode {
  const organizationId = useOrganizationId();
  const { period: asked } = useSearch({ from: "/shell/organizations/$organizationId/gates" });
  const navigate = useNavigate({ from: "/organizations/$organizationId/gates" });
  const period = keyOf(periods, asked) ?? "1h";
  const { minutes, label } = periods[period];
  const gates = useQuery(gatesQuery(organizationId, minutes));
  const known = standing(gates);
  return (
    <Page
      title="Gates"
      actions={
        <Segments
          label="Period"
          value={period}
          options={Object.entries(periods).map(([value, words]) => ({ value, label: words.label }))}
          onChange={(chosen) => void navigate({ search: { period: chosen }, replace: true })}
        />
      }
    >
      {gates.isPending && <Bones />}
      {gates.isError && (
        <Failure
          error={gates.error}
          what="The gates could not be loaded."
          onRetry={() => void gates.refetch()}
        />
      )}
      {known !== undefined && <SeparateLedgers separate={known.separateLedgers} />}
      {known?.gates.length === 0 && <NoGates />}
      {known !== undefined && known.gates.length > 0 && (
        <Loaded answer={known} minutes={minutes} label={label} />
      )}
    </Page>
  );
}

function NoGates(): ReactNode {
  return (
    <Empty title="No gate has been heard in the last hour">
      <p>A gate tells how it is when your application asks it to, beside where it makes the gate:</p>
      <pre className="code">
        <code>{'startHeartbeat(gate, { client, name: "web" });'}</code>
      </pre>
      <p>It comes from @creditgate/core, and needs a key with the scope usage.</p>
    </Empty>
  );
}

function Loaded({
  answer,
  minutes,
  label,
}: {
  readonly answer: GatesAnswer;
  readonly minutes: number;
  readonly label: string;
}): ReactNode {
  const { gates, decisions, reports } = answer;
  const applications = applicationsOf(gates, decisions, Date.now());
  const total = (of: (one: Application) => number) => applications.reduce((sum, one) => sum + of(one), 0);
  const [decided, denied] = [total((one) => one.decisions), total((one) => one.denied)];
  const [dead, parked] = [total((one) => one.dead), total((one) => one.parked)];
  return (
    <>
      <dl className="figures">
        <Figure
          name="Decisions"
          unit="a second"
          detail={`${plural(gates.length, "instance")} of ${plural(applications.length, "gate")}`}
        >
          {rate(decided, minutes)}
        </Figure>
        <Figure name="Denied" detail={`of ${formatCount(decided)} in ${label}`}>
          {shareOf(denied, decided)}
        </Figure>
        <Figure
          name="Held"
          unit="credits"
          detail={`in ${plural(
            total((one) => one.open),
            "request",
          )}`}
        >
          {formatCredits(total((one) => one.held))}
        </Figure>
        <Figure name="Outbox" unit="reports" detail="on their way to the ledger">
          {formatCount(total((one) => one.queued))}
        </Figure>
        <Figure
          name="Dead reports"
          tone={dead > 0 ? "bad" : undefined}
          detail={`${formatCount(parked)} parked`}
        >
          {formatCount(dead)}
        </Figure>
      </dl>
      <GateTable applications={applications} minutes={minutes} />
      <div className="cols-2-1 rule">
        <WaitingReports reports={reports} waiting={dead + parked} />
        <DenialBars decisions={decisions} label={label} />
      </div>
    </>
  );
}

function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}
