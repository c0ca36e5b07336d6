import type { Change, ChangePart } from "./fleet-journal.ts";
import type { FleetRows } from "./fleet-rows.ts";
import type { StepPlan } from "./step-plan.ts";
import { packNote, type ReportNote } from "./stored-item.ts";

/** These reports go. `find` is asked by what is in memory then. */
export function dropping(rows: FleetRows, find: (plan: StepPlan) => readonly string[]): ChangePart {
  let ids: readonly string[] = [];
  return {
    plan: (plan) => {
      ids = find(plan);
      for (const id of ids) plan.drop(rows.reports.get(id)?.place ?? "");
    },
    done: () => {
      for (const id of ids) rows.removeReport(id);
    },
  };
}

/** Changes what is known of reports. `draw` is asked by what is in memory then. */
export function noting(rows: FleetRows, draw: () => ReadonlyMap<string, ReportNote>): ChangePart {
  let notes: ReadonlyMap<string, ReportNote> = new Map();
  return {
    plan: (plan) => {
      notes = draw();
      for (const [id, note] of notes) {
        const row = rows.reports.get(id);
        if (row !== undefined) plan.note(row.place, packNote(note, row.written));
      }
    },
    done: () => {
      for (const [id, note] of notes) rows.reports.note(id, note);
    },
  };
}

/** A change of these items, part by part, in one step. */
export function changeOf(items: Change["items"], ...parts: readonly ChangePart[]): Change {
  return {
    items,
    plan: (plan) => {
      for (const part of parts) part.plan(plan);
    },
    done: (places, lane) => {
      for (const part of parts) part.done(places, lane);
    },
  };
}
