import type { AdminSeparateLedger, AdminSeparateLedgers, GatesAnswer } from "@creditgate/admin";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAnswer } from "../api/query.ts";
import { keyOf } from "../parts/address.ts";
import { formatCount, formatCredits, sumOf } from "../parts/amounts.ts";
import { Badge, Fine } from "../parts/badge.tsx";
import { CopyButton } from "../parts/button.tsx";
import { Figure } from "../parts/figure.tsx";
import { Icon } from "../parts/icon.tsx";
import { CustomerLink } from "../parts/links.tsx";
import { Name } from "../parts/name.tsx";
import { Page, Section } from "../parts/page.tsx";
import { column, Empty, Loaded, Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { Segments } from "../parts/toolbar.tsx";
import { type Application, applicationsOf, rate, shareOf } from "./application.ts";
import { DenialBars } from "./denial-bars.tsx";
import { gatePeriods, gatesQuery } from "./queries.ts";
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
    <Empty
      title="No heartbeats in the last hour"
      action={<CopyButton text={'startHeartbeat(gate, { client, name: "web" });'} />}
    >
      Gates appear here once they send heartbeats. Import startHeartbeat from @creditgate/core and call it
      where your application creates the gate; its API key needs the scope usage.
    </Empty>
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
          unit="per second"
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
          {formatCredits(sumOf(applications.map(({ held }) => held)))}
        </Figure>
        <Figure name="Outbox" unit="reports" detail="queued for delivery">
          {formatCount(total((one) => one.queued))}
        </Figure>
        <Figure
          name="Dead reports"
          tone={dead > 0 ? "bad" : undefined}
          detail={`${formatCount(parked)} held for review`}
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

/** Processes that can overspend a wallet together, and how to mend it; absent if there are none. */
function SeparateLedgers({ separate }: { readonly separate: AdminSeparateLedgers }) {
  const { ledgers, wallets, guarded } = separate;
  return (
    <>
      {ledgers.length > 0 && (
        <div className="note bad" role="alert">
          <Icon name="alert" />
          <div>
            <b>{formatCount(ledgers.length)} ledgers spend the same wallets without sharing state.</b>{" "}
            Together they can overspend a wallet. Pass one shared ledger to <code>createGate()</code> in every
            process, on Redis, PostgreSQL or Durable Objects. See “Many processes” in the README of
            @creditgate/core.
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
          Isolates with a guard spend wallets. Together they can overspend a wallet by what the guard allows
          each of them.
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
      In the memory of process <CopyButton text={processId ?? ""} />
    </>
  );
}

type Counted = "queued" | "parked" | "dead" | "late";

function count(header: ReactNode, of: Counted, from: 2 | 3, tone = "") {
  return column<Application>(header, { isNumber: true, from }, (one) => (
    <span className={one[of] === 0 ? "zero" : tone}>{formatCount(one[of])}</span>
  ));
}

const quietIf = (isQuiet: boolean) => (isQuiet ? "quiet" : "");

/** The gates that sent a heartbeat within the last hour. */
function GateTable({
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
              <Name>{application.name}</Name>
              <span className="sub">{whatOf(application)}</span>
              <span className="phone">
                <State application={application} />
              </span>
            </>
          )),
          column("Version", { from: 2, look: "breaks" }, ({ versions }) => versions.join(", ")),
          column(
            "Per second",
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
            { isNumber: true, from: 1, look: ({ held }) => quietIf(held === 0n) },
            ({ held }) => formatCredits(held),
          ),
          count("Outbox", "queued", 2),
          count("In review", "parked", 2),
          count("Dead", "dead", 2, "dead"),
          count(<abbr title="Reports that did not appear in the balance in time">Late</abbr>, "late", 3),
          column("Heartbeat", { isNumber: true, from: 3, look: "quiet" }, ({ heardAt }) => (
            <Ago at={heardAt} />
          )),
          column("Status", { from: 1 }, (application) => <State application={application} />),
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
  if (isSilent) return <Badge tone="bad">No heartbeat</Badge>;
  if (dead > 0) return <Badge tone="bad">{formatCount(dead)} dead</Badge>;
  if (parked > 0) return <Badge tone="warn">{formatCount(parked)} in review</Badge>;
  return late > 0 ? <Badge tone="warn">Debits late</Badge> : <Fine>Healthy</Fine>;
}
