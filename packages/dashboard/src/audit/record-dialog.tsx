import type { AdminAuditRecord } from "@creditgate/admin";
import type { ReactNode } from "react";
import { actorName, changesOf, subjectWords } from "../parts/changes.ts";
import { ViewDialog } from "../parts/form-dialog.tsx";
import { Facts } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { formatExact } from "../parts/time.tsx";
import { actionName } from "./words.ts";

/** A change: who made it, and what was before and after. */
export function RecordDialog({ record }: { record: AdminAuditRecord }) {
  const { action, actor, at, subject, before, after, auditId } = record;
  const changes = changesOf(before, after);
  const text = (value: ReactNode, look: string) => <span className={look}>{value}</span>;
  return (
    <ViewDialog title={actionName(action)}>
      <Facts
        facts={[
          ["Who", text(actorName(actor), "breaks")],
          ["What", text(subjectWords(subject), "breaks")],
          ["When", formatExact(at)],
          ["In the log", text(action, "mono")],
          ["Number", text(auditId, "mono")],
        ]}
      />
      {changes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must by keyboard too
        <div className="changes" tabIndex={0}>
          <Table
            caption="What was changed"
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
