import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { queryClient } from "../api/client.ts";
import { Closing } from "../api/edit.ts";
import { useAnswer, useOrganizationId } from "../api/query.ts";
import { settlementQuery } from "../overview/settlement.ts";
import { instantsOf } from "../parts/address.ts";
import { Failure } from "../parts/failure.tsx";
import { Page } from "../parts/page.tsx";
import { Bones, Empty, Listing } from "../parts/table.tsx";
import { CsvLink, Segments } from "../parts/toolbar.tsx";
import { type FeedReports, merged, mostRows, noFeedReports } from "./live-reports.ts";
import { reportsQuery, sums, type UsageSearch, usageFilter } from "./queries.ts";
import { ReportDialog } from "./report-dialog.tsx";
import { ReportTable } from "./report-table.tsx";
import { SumsTable } from "./sums-table.tsx";
import { UsageFigures } from "./usage-figures.tsx";
import { LiveButton, UsageToolbar } from "./usage-toolbar.tsx";
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
            label="What is shown"
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
              what="New reports do not come by themselves."
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
  const { customer, agent, outcome, from, to, cursor } = search;
  const isFirst = cursor === undefined;
  const isFiltered = [customer, agent, outcome, from, to].some((value) => value !== undefined);
  const rows = merged(reports.data, isFirst ? fromFeed : noFeedReports, search);
  const open = rows.find(({ usageId }) => usageId === openId);
  return (
    <>
      <Listing
        query={reports}
        rowsOf={() => rows}
        failure="The usage could not be loaded."
        empty={
          <Empty title={isFiltered ? "No such usage" : "No usage yet"}>
            {isFiltered
              ? "No report passes these filters. The ID of a customer must be whole."
              : "Each report of usage that your application sends comes here by itself."}
          </Empty>
        }
        end={
          rows.length < mostRows ? undefined : (
            <p className="small quiet">The newest {mostRows} are shown. Choose days for older ones.</p>
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
