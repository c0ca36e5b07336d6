import type { GatesAnswer } from "@creditgate/admin";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useAnswer } from "../api/query.ts";
import { keyOf } from "../parts/address.ts";
import { formatCount, formatCredits } from "../parts/amounts.ts";
import { Figure } from "../parts/figure.tsx";
import { Loaded } from "../parts/listing.tsx";
import { Page } from "../parts/page.tsx";
import { Segments } from "../parts/toolbar.tsx";
import { type Application, applicationsOf, rate, shareOf } from "./application.ts";
import { DenialBars } from "./denial-bars.tsx";
import { GateTable } from "./gate-table.tsx";
import { gatePeriods, gatesQuery } from "./queries.ts";
import { SeparateLedgers } from "./separate-ledgers.tsx";
import { WaitingReports } from "./waiting-reports.tsx";

/** The applications that say of themselves how their gates are. */
export function GatesPage() {
  const { period: asked } = useSearch({ from: "/shell/organizations/$organizationId/gates" });
  const navigate = useNavigate({ from: "/organizations/$organizationId/gates" });
  const period = keyOf(gatePeriods, asked) ?? "1h";
  const { minutes, label } = gatePeriods[period];
  const gates = useAnswer(gatesQuery, minutes);
  return (
    <Page
      title="Gates"
      actions={
        <Segments
          label="Period"
          value={period}
          options={Object.entries(gatePeriods).map(([value, words]) => ({ value, label: words.label }))}
          onChange={(chosen) => void navigate({ search: { period: chosen }, replace: true })}
        />
      }
    >
      <Loaded query={gates} failure="The gates could not be loaded.">
        {(answer) => (
          <>
            <SeparateLedgers separate={answer.separateLedgers} />
            {answer.gates.length === 0 ? (
              <NoGates />
            ) : (
              <Gates answer={answer} minutes={minutes} label={label} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function NoGates() {
  return (
    <div className="empty">
      <h2>No gate has sent a heartbeat in the last hour</h2>
      <p>A gate sends heartbeats once your application starts them, where it creates the gate:</p>
      <pre className="code">
        <code>{'startHeartbeat(gate, { client, name: "web" });'}</code>
      </pre>
      <p>It comes from @creditgate/core, and needs a key with the scope usage.</p>
    </div>
  );
}

function Gates({ answer, minutes, label }: { answer: GatesAnswer; minutes: number; label: string }) {
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
