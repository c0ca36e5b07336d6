import { editConflictOf, type FieldEdit, type Tagged } from "@creditgate/client/admin";
import { useState } from "react";
import type { z } from "zod";
import { type QueryKeys, useChange } from "./change.ts";

/** What others have changed while a form was open. */
export interface Conflict {
  readonly edits: readonly FieldEdit[];
  /** The record as the form was opened with it, and as it is now. */
  readonly seen: object;
  readonly current: object;
  /** What the form calls the fields. */
  readonly labels: Readonly<Record<string, string>>;
  /** Gives up what the person has written. */
  readonly takeTheirs: () => void;
}

/** A form that edits a record: what is in it, what of it the person has changed, and what came of saving that. */
export interface Edit<Subject, Values> {
  /** The record that the form shows: the one that it was opened with, or after a conflict the one that is there. */
  readonly record: Subject;
  readonly values: Values;
  readonly set: (values: Partial<Values>) => void;
  /** Begins anew with another record. */
  readonly begin: (record: Subject) => void;
  readonly isChanged: boolean;
  /** Sends what the person has changed. After a conflict that is a second look: it is applied to what is there now. */
  readonly save: () => void;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly conflict: Conflict | undefined;
}

/**
 * Edits a record under the `etag` that it had when the form was opened, however often the page behind it is loaded again: an
 * edit by someone else is not undone unseen. Fields that the person has not changed are not sent.
 */
export function useEdit<Subject extends (Tagged & object) | undefined, Values extends object, Answer>({
  record,
  schema,
  valuesOf,
  labels,
  send,
  untrue,
  onDone,
}: {
  readonly record: Subject;
  /** Parses the record as a conflict has it. */
  readonly schema: z.ZodType<Subject>;
  /** What the form holds of a record. */
  readonly valuesOf: (record: Subject) => Values;
  /** What the form calls the fields of the record. */
  readonly labels: Readonly<Record<string, string>>;
  readonly send: (
    changed: Partial<Values>,
    seen: { readonly etag: string | undefined },
    values: Values,
  ) => Promise<Answer>;
  readonly untrue: QueryKeys;
  readonly onDone: (answer: Answer) => unknown;
}): Edit<Subject, Values> {
  const [base, setBase] = useState(() => ({ record, values: valuesOf(record) }));
  const [written, setWritten] = useState<Partial<Values>>({});
  const [conflict, setConflict] = useState<Omit<Conflict, "takeTheirs">>();
  const values = { ...base.values, ...written };
  const changed = changedOf(base.values, written);
  const change = useChange({
    change: () => send(changed, { etag: base.record?.etag }, values),
    untrue,
    onDone,
    onFailed(error) {
      const { edits, current } = editConflictOf(error) ?? {};
      const theirs = schema.safeParse(current);
      if (edits === undefined || !theirs.success || theirs.data === undefined) return;
      setConflict({ edits, labels, seen: base.record ?? {}, current: theirs.data });
      setBase({ record: theirs.data, values: valuesOf(theirs.data) });
    },
  });
  const begin = (next: Subject): void => {
    change.reset();
    setConflict(undefined);
    setWritten({});
    setBase({ record: next, values: valuesOf(next) });
  };
  return {
    record: base.record,
    values,
    set: (more) => setWritten({ ...written, ...more }),
    begin,
    isChanged: Object.keys(changed).length > 0,
    save() {
      setConflict(undefined);
      change.mutate();
    },
    isPending: change.isPending,
    error: conflict === undefined ? change.error : undefined,
    conflict: conflict && { ...conflict, takeTheirs: () => begin(base.record) },
  };
}

/** What was written that is not what was there. */
function changedOf<Values extends object>(before: Values, written: Partial<Values>): Partial<Values> {
  const changed = { ...written };
  for (const name in changed) {
    if (JSON.stringify(changed[name]) === JSON.stringify(before[name])) delete changed[name];
  }
  return changed;
}
