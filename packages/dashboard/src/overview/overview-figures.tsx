import type { SettlementAgesAnswer, UsageRefusalsAnswer, UsageSeriesAnswer } from "@creditgate/admin";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAnswer, useOrganizationId } from "../api/query.ts";
import { DenialBars } from "../gates/denial-bars.tsx";
import { formatCount, formatGlance, formatPercent } from "../parts/amounts.ts";
import { Failure } from "../parts/failure.tsx";
import { Figure } from "../parts/figure.tsx";
import { Icon } from "../parts/icon.tsx";
import { ShareBar } from "../parts/legend.tsx";
import { Section } from "../parts/page.tsx";
import { formatDuration } from "../parts/time.tsx";
import { formatCounted } from "./attention-list.tsx";
import {
  attentionQuery,
  describeWaiting,
  gateStatesQuery,
  type Period,
  periods,
  settlementQuery,
} from "./queries.ts";

const lateMs = 5_000;

interface OverviewFiguresProps {
  readonly period: Period;
  readonly usage: UsageSeriesAnswer | undefined;
  readonly refusals: UsageRefusalsAnswer | undefined;
  readonly ages: SettlementAgesAnswer | undefined;
}

/** The five numbers at the top. */
export function OverviewFigures({ period, usage, refusals, ages }: OverviewFiguresProps) {
  const { data: attention } = useAnswer(attentionQuery);
  const { before } = periods[period];
  const refused = refusals?.refusals.reduce((sum, { count }) => sum + count, 0);
  return (
    <dl className="figures">
      <Figure
        name="Credits used"
        detail={usage && <Change now={usage.total.credits} was={usage.before.credits} words={before} />}
      >
        {usage && formatGlance(usage.total.credits)}
      </Figure>
      <Figure name="Usage reports" detail={usage && each(usage)}>
        {usage && formatCount(usage.total.events)}
      </Figure>
      <Figure
        name="Unbilled usage"
        unit={refused === 1 ? "report" : "reports"}
        detail={billed(refused, usage)}
      >
        {refusals && formatCounted({ count: refused ?? 0, more: refusals.refusals.some(({ more }) => more) })}
      </Figure>
      <SettlementFigure ages={ages} />
      <Figure
        name="Out of credits"
        unit={attention?.exhausted.count === 1 ? "wallet" : "wallets"}
        detail={attention && `${formatCounted(attention.low)} low on credits`}
      >
        {attention && formatCounted(attention.exhausted)}
      </Figure>
    </dl>
  );
}

function each({ total: { events, credits } }: UsageSeriesAnswer): string {
  return events === 0 ? "none" : `${formatGlance(credits / events)} credits each`;
}

function billed(refused: number | undefined, usage: UsageSeriesAnswer | undefined) {
  if (refused === undefined || usage === undefined) return undefined;
  return refused === 0 ? "all usage billed" : "no wallet to bill";
}

function SettlementFigure({ ages }: { readonly ages: SettlementAgesAnswer | undefined }) {
  const { data, dataUpdatedAt } = useAnswer(settlementQuery);
  const last = ages?.ages.at(-1);
  const isLate = data?.isLate === true;
  return (
    <Figure
      name="Settlement lag, p95"
      tone={last !== undefined && last.p95Ms > lateMs ? "warn" : undefined}
      detail={
        data &&
        (isLate && data.dueSince !== null ? (
          <>
            <b className="warn">
              <Icon name="warning" />
              {formatDuration(dataUpdatedAt - Date.parse(data.dueSince))}
            </b>{" "}
            oldest unsettled
          </>
        ) : (
          describeWaiting(data, dataUpdatedAt)
        ))
      }
    >
      {ages && (last === undefined ? "—" : formatDuration(last.p95Ms))}
    </Figure>
  );
}

/** How a number compares with the one before. */
function Change({ now, was, words }: { now: number; was: number; words: string }) {
  if (was === 0) return now === 0 ? "no change" : "none in the previous period";
  const change = now / was - 1;
  return (
    <>
      <b>
        <Icon name={change < 0 ? "fall" : "rise"} />
        <span className="unseen">{change < 0 ? "less by" : "more by"}</span>
        {formatPercent(Math.abs(change))}
      </b>{" "}
      {words}
    </>
  );
}

/** What gates have denied in a day, where they tell; and usage that no wallet has paid, by reason. */
export function Denials({
  refusals,
  label,
}: {
  readonly refusals: Loaded<UsageRefusalsAnswer>;
  /** How long the span of the page is. */
  readonly label: string;
}) {
  const organizationId = useOrganizationId();
  const gates = useAnswer(gateStatesQuery);
  const decisions = gates.data?.decisions ?? [];
  const isReported = decisions.length > 0;
  const isUnpaid = refusals.data?.refusals.some(({ count }) => count > 0) === true;
  return (
    <div className="section">
      {isReported && <DenialBars decisions={decisions} label="24 h" />}
      {(!isReported || isUnpaid) && (
        <Section
          id="refused"
          title="Unbilled usage, by reason"
          end={<span className="end quiet">{label}</span>}
        >
          <Part
            // One after the other would move what is below.
            query={gates.isPending ? { ...refusals, data: undefined } : refusals}
            what="The unbilled usage could not be loaded."
            height="list"
          >
            {(data) => <RefusalBars refusals={data} />}
          </Part>
          {!isReported && (
            <p className="quiet small">
              Gates deny requests before they cost anything. Turn on heartbeats in your{" "}
              <Link className="link" to="/organizations/$organizationId/gates" params={{ organizationId }}>
                gates
              </Link>{" "}
              to see denials here.
            </p>
          )}
        </Section>
      )}
    </div>
  );
}

const names = {
  wallet_missing: "No wallet in this currency",
  out_of_range: "Amount out of range",
} as const;

/** Usage that was accepted and that no wallet has paid. */
function RefusalBars({ refusals: { refusals } }: { refusals: UsageRefusalsAnswer }) {
  const whole = refusals.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...refusals.map(({ count }) => count));
  if (whole === 0) return <p className="quiet small">All usage was billed.</p>;
  return (
    <ul className="bars">
      {refusals.map((refusal) => (
        <ShareBar
          key={refusal.reason}
          name={names[refusal.reason]}
          count={<b className={refusal.count === 0 ? "zero" : ""}>{formatCounted(refusal)}</b>}
          share={formatPercent(refusal.count / whole)}
          look="b503"
          width={refusal.count / most}
        />
      ))}
    </ul>
  );
}

/** What a query has brought. */
interface Loaded<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** A part of the page that is loaded by itself: what fails leaves the others, and what comes is as high as its place. */
export function Part<Data>({
  query,
  what,
  height,
  children,
}: {
  readonly query: Loaded<Data>;
  /** What has failed. */
  readonly what: string;
  readonly height: "chart" | "small-chart" | "list";
  readonly children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return <span className={`bone block ${height}`} aria-hidden="true" />;
  return <Failure error={query.error} what={what} onRetry={() => void query.refetch()} />;
}
