import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useCallback, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { queryClient } from "../api/query-client.ts";
import { settlementQuery } from "../api/settlement.ts";
import { Bones } from "../parts/bones.tsx";
import { CsvLink } from "../parts/csv-link.tsx";
import { instantsOf } from "../parts/day-span.tsx";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { Listing } from "../parts/listing.tsx";
import { Page } from "../parts/page.tsx";
import { atPart } from "../parts/search-change.ts";
import { Segments } from "../parts/segments.tsx";
import { LiveButton } from "./live-button.tsx";
import { merged, mostRows, nothingTold, type Told } from "./live-reports.ts";
import { reportsQuery, usageFilter } from "./queries.ts";
import { ReportDialog } from "./report-dialog.tsx";
import { ReportTable } from "./report-table.tsx";
import { sums, type UsageSearch } from "./search.ts";
import { SumsTable } from "./sums-table.tsx";
import { UsageFigures } from "./usage-figures.tsx";
import { UsageToolbar } from "./usage-toolbar.tsx";
import { useFeed } from "./use-feed.ts";

const views = [
  { value: "reports", label: "Reports" },
  ...Object.entries(sums).map(([value, label]) => ({ value, label })),
];

/** Usage as it comes, and what it adds up to. */
export function UsagePage(): ReactNode {
  const organizationId = useOrganizationId();
  const search = useSearch({ from: "/shell/organizations/$organizationId/usage" });
  const navigate = useNavigate({ from: "/organizations/$organizationId/usage" });
  const [isOn, setIsOn] = useState(true);
  // Whether there is a note at the top is known first: else it would move all that is there already.
  const settlement = useQuery(settlementQuery(organizationId));
  const { by, outcome, cursor, from, to } = search;
  // What was on some days, and what is on a later page, does not change.
  const canBeLive = by === undefined && [cursor, from, to].every((value) => value === undefined);
  const { queryKey } = reportsQuery(organizationId, search);
  const feed = useFeed({
    organizationId,
    // A report that was told as waiting is told when it is settled, too, and leaves the list then.
    query: { ...usageFilter(search), ...(outcome === "unsettled" ? {} : { outcome }) },
    isOn: isOn && canBeLive,
    onStart: () => void queryClient.invalidateQueries({ queryKey }),
  });
  const onMove = useCallback(
    (to: string | undefined) => void navigate({ search: (before) => atPart(before, to) }),
    [navigate],
  );
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
            <Reports search={search} told={feed.told} onMove={onMove} />
          ) : (
            <SumsTable search={search} by={by} onMove={onMove} />
          )}
        </>
      )}
    </Page>
  );
}

function shown({ by: _, cursor: __, ...rest }: UsageSearch, chosen: string): UsageSearch {
  return chosen in sums ? { ...rest, by: chosen as keyof typeof sums } : rest;
}

function Reports({
  search,
  told,
  onMove,
}: {
  readonly search: UsageSearch;
  readonly told: Told;
  readonly onMove: (cursor: string | undefined) => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const [openId, setOpenId] = useState<string>();
  const [openedAt] = useState(() => new Date().toISOString());
  const reports = useQuery(reportsQuery(organizationId, search));
  const { customer, agent, outcome, from, to, cursor } = search;
  const isFirst = cursor === undefined;
  const isFiltered = [customer, agent, outcome, from, to].some((value) => value !== undefined);
  const rows = merged(reports.data, isFirst ? told : nothingTold, search);
  const open = rows.find(({ usageId }) => usageId === openId);
  return (
    <>
      <Listing
        query={reports}
        rowsOf={() => rows}
        failure="The usage could not be loaded."
        empty={
          <Empty title={isFiltered ? "No such usage" : "No usage yet"}>
            <p>
              {isFiltered
                ? "No report passes these filters. The ID of a customer must be whole."
                : "Each report of usage that your application sends comes here by itself."}
            </p>
          </Empty>
        }
        cursor={cursor}
        onMove={onMove}
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
      {open !== undefined && <ReportDialog report={open} onClose={() => setOpenId(undefined)} />}
    </>
  );
}
