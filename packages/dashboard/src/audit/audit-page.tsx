import type { AdminAuditRecord } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Closing } from "../api/edit.ts";
import { useOrganizationId } from "../api/query.ts";
import { CopyButton } from "../parts/button.tsx";
import { actorName, changesOf, subjectWords } from "../parts/changes.ts";
import { ViewDialog } from "../parts/form-dialog.tsx";
import { Facts, Page } from "../parts/page.tsx";
import { Empty, Listing, Table } from "../parts/table.tsx";
import { formatExact, formatTime, Time } from "../parts/time.tsx";
import { AddressDays, AddressFilter, CsvLink, optionsOf, SearchBox } from "../parts/toolbar.tsx";
import { auditFilter, auditQuery } from "./queries.ts";
import { actionName, actions } from "./words.ts";

/** Who changed money, prices, keys or people. */
export function AuditPage() {
  const organizationId = useOrganizationId();
  const search = useSearch({ from: "/shell/organizations/$organizationId/audit" });
  const [openId, setOpenId] = useState<number>();
  const audit = useQuery(auditQuery(organizationId, search));
  const open = audit.data?.records.find(({ auditId }) => auditId === openId);
  return (
    <Page
      title="Audit log"
      actions={<CsvLink list="audit" base="/admin/api" query={auditFilter(organizationId, search)} />}
    >
      <div className="toolbar">
        <SearchBox label="Actor email" name="who" />
        <AddressFilter label="Action" name="action" options={optionsOf("Any action", actions)} />
        <AddressDays label="Date" />
      </div>
      <Listing
        query={audit}
        rowsOf={(answer) => answer.records}
        what="audit records"
        empty={
          <Empty title="No audit records yet">
            Changes to money, prices, keys and people are recorded here with their actor.
          </Empty>
        }
      >
        {(rows, isOld) => <Records records={rows} isOld={isOld} onOpen={setOpenId} />}
      </Listing>
      {open !== undefined && (
        <Closing value={() => setOpenId(undefined)}>
          <RecordDialog record={open} />
        </Closing>
      )}
    </Page>
  );
}

interface RecordsProps {
  readonly records: readonly AdminAuditRecord[];
  readonly isOld: boolean;
  readonly onOpen: (auditId: number) => void;
}

function Records({ records, isOld, onOpen }: RecordsProps) {
  return (
    <Table
      look="rows"
      caption="Changes, the newest first"
      rows={records}
      idOf={({ auditId }) => auditId}
      isOld={isOld}
      columns={(column) => [
        column("Time", { from: 1, look: "quiet" }, ({ at }) => <Time at={at} />),
        column("Action", { isName: true, look: "breaks" }, ({ auditId, at, action, actor }) => (
          <>
            <button type="button" className="cover" onClick={() => onOpen(auditId)}>
              {actionName(action)}
            </button>
            <span className="sub phone">
              {actorName(actor)}, {formatTime(at)}
            </span>
          </>
        )),
        column("Object", { from: 2, look: "breaks" }, ({ subject }) => (
          <Words text={subjectWords(subject)} />
        )),
        column("Actor", { from: 1, look: "breaks" }, ({ actor }) => actorName(actor)),
      ]}
    />
  );
}

const id = /([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/;

/** A text with its IDs in the type of IDs. */
function Words({ text, canCopy = false }: { readonly text: string; readonly canCopy?: boolean }) {
  return text.split(id).map((part, index) =>
    canCopy && id.test(part) ? (
      <CopyButton key={part} text={part} />
    ) : id.test(part) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their places.
      <span key={index} className="quiet mono">
        {part}
      </span>
    ) : (
      part
    ),
  );
}

/** A change: who made it, and what was before and after. */
function RecordDialog({ record }: { record: AdminAuditRecord }) {
  const { action, actor, at, subject, before, after, auditId } = record;
  const changes = changesOf(before, after);
  const text = (value: ReactNode, look: string) => <span className={look}>{value}</span>;
  return (
    <ViewDialog title={actionName(action)}>
      <Facts
        facts={[
          ["Actor", text(actorName(actor), "breaks")],
          ["Object", text(<Words text={subjectWords(subject)} canCopy />, "breaks")],
          ["Time", formatExact(at)],
          ["Event", text(action, "mono")],
          ["Record", text(auditId, "mono")],
        ]}
      />
      {changes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must by keyboard too
        <div className="changes" tabIndex={0}>
          <Table
            caption="Changes"
            rows={changes}
            idOf={({ field }) => field}
            columns={(column) => [
              column("Field", { isName: true }, ({ field }) => (field === "" ? "Value" : field)),
              column("Before", {}, (change) => change.before ?? <span className="quiet">none</span>),
              column("After", {}, (change) => change.after ?? <span className="quiet">none</span>),
            ]}
          />
        </div>
      )}
    </ViewDialog>
  );
}
