import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { indicatorsQuery, useAllAgents } from "../agents/queries.ts";
import { queryClient } from "../api/client.ts";
import { Closing } from "../api/edit.ts";
import { useAnswer, useOrganizationId } from "../api/query.ts";
import { NoUsage } from "../customer/usage-list.tsx";
import { CustomerFilter } from "../customers/customer-picker.tsx";
import { settlementQuery } from "../overview/queries.ts";
import { instantsOf } from "../parts/address.ts";
import { Failure } from "../parts/failure.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page } from "../parts/page.tsx";
import { Bones, Listing } from "../parts/table.tsx";
import { AddressDays, AddressFilter, CsvLink, Filter, Segments, useFilters } from "../parts/toolbar.tsx";
import { type FeedReports, merged, mostRows, noFeedReports } from "./live-reports.ts";
import { outcomeFilters, reportsQuery, sums, type UsageSearch, usageFilter } from "./queries.ts";
import { ReportDialog, ReportTable } from "./report-table.tsx";
import { SumsTable } from "./sums-table.tsx";
import { UsageFigures } from "./usage-figures.tsx";
import { useFeed } from "./use-feed.ts";

const views = [
  { value: "reports", label: "Reports" },
  ...Object.entries(sums).map(([value, label]) => ({ value, label })),
];

/** Usage as it comes, and what it adds up to. */
export function UsagePage() {
  const organizationId = useOrganizationId();
  const search = useSearch({ from: "/shell/organizations/$organizationId/usage" });
  const navigate = useNavigate({ from: "/organizations/$organizationId/usage" });
  const [isOn, setIsOn] = useState(true);
  // Whether there is a note at the top is known first: else it would move all that is there already.
  const settlement = useAnswer(settlementQuery);
  const { by, outcome, cursor, from, to } = search;
  // What was on some days, and what is on a later page, does not change.
  const canBeLive = by === undefined && [cursor, from, to].every((value) => value === undefined);
  const { queryKey } = reportsQuery(organizationId, search);
  const feed = useFeed({
    organizationId,
    // A waiting report is sent again when it is settled, and leaves the list then.
    query: { ...usageFilter(search), ...(outcome === "unsettled" ? {} : { outcome }) },
    isOn: isOn && canBeLive,
    onStart: () => void queryClient.invalidateQueries({ queryKey }),
  });
  return (
    <Page
      title="Usage"
      actions={
        <>
          {canBeLive && <LiveButton isOn={isOn} isWaiting={feed.state === "waiting"} onChange={setIsOn} />}
          <CsvLink list="usage" query={{ ...usageFilter(search), outcome, ...instantsOf(search) }} />
        </>
      }
    >
      {settlement.isPending ? (
        <Bones />
      ) : (
        <>
          <UsageFigures search={search} />
          <UsageToolbar search={search} />
          <Segments
            label="View"
            isFull
            value={by ?? "reports"}
            options={views}
            onChange={(chosen) =>
              void navigate({ search: (before) => shown(before, chosen), replace: true, resetScroll: false })
            }
          />
          {feed.error !== undefined && isOn && (
            <Failure
              error={feed.error}
              what="Live updates have stopped."
              onRetry={() => {
                setIsOn(false);
                setTimeout(() => setIsOn(true));
              }}
            />
          )}
          {by === undefined ? (
            <Reports search={search} fromFeed={feed.fromFeed} />
          ) : (
            <SumsTable search={search} by={by} />
          )}
        </>
      )}
    </Page>
  );
}

function shown({ by: _, cursor: __, ...rest }: UsageSearch, chosen: string): UsageSearch {
  return chosen in sums ? { ...rest, by: chosen as keyof typeof sums } : rest;
}

interface ReportsProps {
  readonly search: UsageSearch;
  readonly fromFeed: FeedReports;
}

function Reports({ search, fromFeed }: ReportsProps) {
  const [openId, setOpenId] = useState<string>();
  const [openedAt] = useState(() => new Date().toISOString());
  const reports = useAnswer(reportsQuery, search);
  const isFirst = search.cursor === undefined;
  const rows = merged(reports.data, isFirst ? fromFeed : noFeedReports, search);
  const open = rows.find(({ usageId }) => usageId === openId);
  return (
    <>
      <Listing
        query={reports}
        rowsOf={() => rows}
        what="reports"
        empty={<NoUsage />}
        end={
          rows.length < mostRows ? undefined : (
            <p className="small quiet">Showing the newest {mostRows}. Choose days for older reports.</p>
          )
        }
      >
        {(shownRows, isOld) => (
          <ReportTable
            reports={shownRows}
            freshAfter={isFirst ? openedAt : undefined}
            isOld={isOld}
            onOpen={setOpenId}
          />
        )}
      </Listing>
      {open !== undefined && (
        <Closing value={() => setOpenId(undefined)}>
          <ReportDialog report={open} />
        </Closing>
      )}
    </>
  );
}

/** Whose usage, of what, what has become of it, and when. */
function UsageToolbar({ search }: { readonly search: UsageSearch }) {
  const organizationId = useOrganizationId();
  const { by, agent, indicator, outcome } = search;
  const agents = useAllAgents();
  const indicators = useInfiniteQuery({
    ...indicatorsQuery(organizationId, agent ?? ""),
    enabled: agent !== undefined,
  });
  const { set } = useFilters();
  return (
    <div className="toolbar">
      <CustomerFilter />
      <Filter
        label="Agent"
        value={agent ?? ""}
        options={withChosen(
          "Any agent",
          agent,
          (agents.data ?? []).map((one) => [one.agentId, one.agentName]),
        )}
        onChange={(chosen) => set({ agent: chosen, indicator: undefined })}
      />
      {agent !== undefined && (
        <AddressFilter
          label="Indicator"
          name="indicator"
          options={withChosen(
            "Any indicator",
            indicator,
            (indicators.data ?? []).map(({ name }) => [name, name]),
          )}
        />
      )}
      {by === undefined && (
        <AddressFilter
          label="Outcome"
          name="outcome"
          options={withChosen("Any outcome", outcome, Object.entries(outcomeFilters))}
        />
      )}
      <AddressDays label="Received" />
    </div>
  );
}

/** What is chosen is there before the list is, and where the list has no end. */
function withChosen(
  any: string,
  chosen: string | undefined,
  options: readonly (readonly [string, string])[],
) {
  const isThere = chosen === undefined || options.some(([value]) => value === chosen);
  return [
    { value: "", label: any },
    ...options.map(([value, label]) => ({ value, label })),
    ...(isThere ? [] : [{ value: chosen, label: chosen }]),
  ];
}

/** Pauses the feed and lets it go on; the key `p` presses it. */
function LiveButton({
  isOn,
  isWaiting,
  onChange,
}: {
  readonly isOn: boolean;
  /** The connection is lost, and tried again. */
  readonly isWaiting: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  return (
    <button
      type="button"
      className="btn"
      data-key="p"
      aria-pressed={isOn}
      title={isOn ? "Pause (p)" : "Resume (p)"}
      onClick={() => onChange(!isOn)}
    >
      <span
        className={isOn ? (isWaiting ? "pulse warn" : "pulse accent") : "pulse still"}
        aria-hidden="true"
      />
      Live
      <Icon name={isOn ? "pause" : "play"} />
    </button>
  );
}
