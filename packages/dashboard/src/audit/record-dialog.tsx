import type { AdminAuditRecord } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { actorName } from "../parts/actor.ts";
import { changesOf, subjectWords } from "../parts/changes.ts";
import { Facts } from "../parts/facts.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { keyOf } from "../parts/key-of.ts";
import { formatExact } from "../parts/time.tsx";
import { actions } from "./words.ts";

/** A change: who made it, and what was before and after. */
export function RecordDialog({
  record,
  onClose,
}: {
  readonly record: AdminAuditRecord;
  readonly onClose: () => void;
}): ReactNode {
  const { action, actor, at, subject, before, after, auditId } = record;
  const known = keyOf(actions, action);
  const changes = changesOf(before, after);
  return (
    <FormDialog
      title={known === undefined ? action : actions[known]}
      change={{ isPending: false, error: undefined }}
      failure=""
      onSubmit={onClose}
      onClose={onClose}
    >
      <Facts
        facts={[
          [
            "Who",
            <span key="who" className="breaks">
              {actorName(actor)}
            </span>,
          ],
          [
            "What",
            <span key="what" className="breaks">
              {subjectWords(subject)}
            </span>,
          ],
          ["When", formatExact(at)],
          [
            "In the log",
            <span key="log" className="mono">
              {action}
            </span>,
          ],
          [
            "Number",
            <span key="number" className="mono">
              {auditId}
            </span>,
          ],
        ]}
      />
      {changes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must by keyboard too
        <div className="changes" tabIndex={0}>
          <table>
            <caption className="unseen">What was changed</caption>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {changes.map((change) => (
                <tr key={change.field}>
                  <th scope="row">{change.field === "" ? "Value" : change.field}</th>
                  <td>{change.before ?? <span className="quiet">none</span>}</td>
                  <td>{change.after ?? <span className="quiet">none</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </FormDialog>
  );
}
