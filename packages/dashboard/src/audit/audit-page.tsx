import type { AdminAuditRecord } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useCallback, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { actorName } from "../parts/actor.ts";
import { subjectWords } from "../parts/changes.ts";
import { CsvLink } from "../parts/csv-link.tsx";
import { DaySpanFilter } from "../parts/day-span.tsx";
import { Empty } from "../parts/empty.tsx";
import { Filter, optionsOf } from "../parts/filter.tsx";
import { keyOf } from "../parts/key-of.ts";
import { Listing } from "../parts/listing.tsx";
import { Page } from "../parts/page.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { atPart, filtered } from "../parts/search-change.ts";
import { formatExact, formatTime } from "../parts/time.tsx";
import { auditFilter, auditQuery } from "./queries.ts";
import { RecordDialog } from "./record-dialog.tsx";
import type { AuditSearch } from "./search.ts";
import { actions } from "./words.ts";

/** Who changed money, prices, keys or people. */
export function AuditPage(): ReactNode {
  const organizationId = useOrganizationId();
  const search = useSearch({ from: "/shell/organizations/$organizationId/audit" });
  const navigate = useNavigate({ from: "/organizations/$organizationId/audit" });
  const [openId, setOpenId] = useState<number>();
  const audit = useQuery(auditQuery(organizationId, search));
  const { cursor, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  const open = audit.data?.records.find(({ auditId }) => auditId === openId);
  return (
    <Page
      title="Audit log"
      actions={<CsvLink list="audit" base="/admin/api" query={auditFilter(organizationId, search)} />}
    >
      <AuditToolbar search={search} />
      <Listing
        query={audit}
        rowsOf={(answer) => answer.records}
        failure="The audit log could not be loaded."
        empty={
          <Empty title={isFiltered ? "No such change" : "Nothing was changed yet"}>
            <p>
              {isFiltered
                ? "No change passes these filters. Who made it must be whole: an email, or key: and the ID of an API key."
                : "Each change of money, prices, keys and people comes here, with who made it."}
            </p>
          </Empty>
        }
        cursor={cursor}
        onMove={(next) => void navigate({ search: (before) => atPart(before, next) })}
      >
        {(rows, isOld) => <Table records={rows} isOld={isOld} onOpen={setOpenId} />}
      </Listing>
      {open !== undefined && <RecordDialog record={open} onClose={() => setOpenId(undefined)} />}
    </Page>
  );
}

function AuditToolbar({ search: { who, action, from, to } }: { readonly search: AuditSearch }): ReactNode {
  const navigate = useNavigate({ from: "/organizations/$organizationId/audit" });
  const set = useCallback(
    (change: Readonly<Record<string, string | undefined>>) =>
      void navigate({ search: (before) => filtered(before, change), replace: true, resetScroll: false }),
    [navigate],
  );
  const find = useCallback((text: string) => set({ who: text.trim() }), [set]);
  return (
    <div className="toolbar">
      <SearchBox label="Who, by email" value={who ?? ""} onChange={find} />
      <Filter
        label="What"
        value={action ?? ""}
        options={optionsOf("Any change", actions)}
        onChange={(chosen) => set({ action: chosen })}
      />
      <DaySpanFilter label="Made" span={{ from, to }} onChange={(span) => set({ ...span })} />
    </div>
  );
}

function Table({
  records,
  isOld,
  onOpen,
}: {
  readonly records: readonly AdminAuditRecord[];
  readonly isOld: boolean;
  readonly onOpen: (auditId: number) => void;
}): ReactNode {
  return (
    <table className="rows" aria-busy={isOld}>
      <caption className="unseen">Changes, the newest first</caption>
      <thead>
        <tr>
          <th scope="col" className="p1">
            When
          </th>
          <th scope="col">Change</th>
          <th scope="col" className="p2">
            Of what
          </th>
          <th scope="col" className="p1">
            Who
          </th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <Row key={record.auditId} record={record} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  record: { auditId, at, action, subject, actor },
  onOpen,
}: {
  readonly record: AdminAuditRecord;
  readonly onOpen: (auditId: number) => void;
}): ReactNode {
  const known = keyOf(actions, action);
  return (
    <tr>
      <td className="quiet p1">
        <time dateTime={at} title={formatExact(at)}>
          {formatTime(at)}
        </time>
      </td>
      <th scope="row" className="breaks">
        <button type="button" className="cover" onClick={() => onOpen(auditId)}>
          {known === undefined ? action : actions[known]}
        </button>
        <span className="sub phone">
          {actorName(actor)}, {formatTime(at)}
        </span>
      </th>
      <td className="p2 breaks">
        <Words text={subjectWords(subject)} />
      </td>
      <td className="p1 breaks">{actorName(actor)}</td>
    </tr>
  );
}

const id = /([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/;

/** The IDs in it as they stand elsewhere. */
function Words({ text }: { readonly text: string }): ReactNode {
  return text.split(id).map((part, index) =>
    id.test(part) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name, and stay.
      <span key={index} className="quiet mono">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
