import type { Change } from "./fleet-journal.ts";
import type { FleetRows } from "./fleet-rows.ts";
import { packNote, type ReportNote } from "./stored-item.ts";

/** These reports go. `find` is asked by what is in memory then. */
export function dropping(rows: FleetRows, find: () => readonly string[]): Change {
  let ids: readonly string[] = [];
  return {
    plan: (plan) => {
      ids = find();
      for (const id of ids) plan.drop(rows.reports.get(id)?.place ?? "");
    },
    done: () => {
      for (const id of ids) rows.removeReport(id);
    },
  };
}

/** Changes what is known of reports. `draw` is asked by what is in memory then. */
export function noting(rows: FleetRows, draw: () => ReadonlyMap<string, ReportNote>): Change {
  let notes: ReadonlyMap<string, ReportNote> = new Map();
  return {
    plan: (plan) => {
      notes = draw();
      for (const [id, note] of notes) plan.note(rows.reports.get(id)?.place ?? "", packNote(note));
    },
    done: () => {
      for (const [id, note] of notes) rows.reports.note(id, note);
    },
  };
}

/** Both, one after the other, in one step. */
export function together(...changes: readonly Change[]): Change {
  return {
    plan: (plan) => {
      for (const change of changes) change.plan(plan);
    },
    done: (places, lane) => {
      for (const change of changes) change.done(places, lane);
    },
  };
}
