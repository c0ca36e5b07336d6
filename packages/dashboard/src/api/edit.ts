import { editConflictOf, type FieldEdit, type Tagged } from "@creditgate/admin";
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { createContext, isValidElement, type ReactNode, useContext, useState } from "react";
import type { z } from "zod";
import { queryClient } from "./client.ts";

/** A change that a person makes. What it makes untrue is loaded again before `onDone`, so that the page behind is right. */
export function useChange<Input = void, Answer = unknown>({
  change,
  untrue = [],
  onDone,
  onFailed,
}: {
  readonly change: (input: Input) => Promise<Answer>;
  /** The names of the queries that the change makes untrue. */
  readonly untrue?: readonly string[];
  readonly onDone?: (answer: Answer, input: Input) => unknown;
  /** Called before the error is shown. */
  readonly onFailed?: (error: Error) => void;
}): UseMutationResult<Answer, Error, Input> {
  return useMutation({
    mutationFn: change,
    async onSuccess(answer, input) {
      await Promise.all(untrue.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
      await onDone?.(answer, input);
    },
    onError: (error) => onFailed?.(error),
  });
}

/** Closes the dialog around it. */
export const Closing = createContext(() => {});

/** What a dialog needs of the change that it sends. */
export interface Form {
  readonly submit: () => void;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly conflict?: Conflict | undefined;
  /** In place of the dialog, once it is done. */
  readonly result?: ReactNode;
}

/** What a dialog sends once, and what follows. */
export interface Action<Answer> {
  readonly send: () => Promise<Answer>;
  readonly untrue?: readonly string[];
  /** Called before the dialog closes. An element that it returns is shown in place of the dialog. */
  readonly onDone?: ((answer: Answer) => unknown) | undefined;
}

export function useAction<Answer>({
  send,
  onDone,
  ...rest
}: Action<Answer>): Form & { readonly reset: () => void } {
  const { result, finish } = useResult(onDone);
  const { mutate, isPending, error, reset } = useChange<void, Answer>({
    change: send,
    ...rest,
    onDone: finish,
  });
  return { submit: () => mutate(), isPending, error, reset, result };
}

/** Closes the dialog at once; after a navigation, when that is done. */
function useResult<Answer>(onDone: Action<Answer>["onDone"]) {
  const close = useContext(Closing);
  const [result, setResult] = useState<ReactNode>();
  async function finish(answer: Answer): Promise<void> {
    const done = onDone?.(answer);
    if (done instanceof Promise) await done;
    if (isValidElement(done)) setResult(done);
    else close();
  }
  return { result, finish };
}

/** What others have changed while a form was open. */
export interface Conflict {
  readonly edits: readonly FieldEdit[];
  /** The record as the form was opened with it, and as it is now. */
  readonly seen: object;
  readonly current: object;
  /** The form's names of the fields. */
  readonly labels: Readonly<Record<string, string>>;
  /** Discards what the person has written. */
  readonly takeTheirs: () => void;
}

/** A form that edits a record. */
export interface Edit<Subject, Values> extends Form {
  /** The record that the form shows: the one that it was opened with, or after a conflict the current one. */
  readonly record: Subject;
  readonly values: Values;
  readonly set: (values: Partial<Values>) => void;
  readonly bind: Bind<Values>;
  /** Begins anew with another record. */
  readonly begin: (record: Subject) => void;
  readonly isChanged: boolean;
}

/**
 * Edits a record under the `etag` that it had when the form was opened, however often the page behind loads it again: nobody
 * overwrites an unseen edit. `submit` sends the changed fields; after a conflict it applies them to the current record.
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
  /** Parses the record of a conflict. */
  readonly schema: z.ZodType<Subject>;
  /** What the form holds of a record. */
  readonly valuesOf: (record: Subject) => Values;
  /** The form's names of the fields of the record. */
  readonly labels: Readonly<Record<string, string>>;
  readonly send: (
    changed: Partial<Values>,
    seen: { readonly etag: string | undefined },
    values: Values,
  ) => Promise<Answer>;
  readonly untrue: readonly string[];
  readonly onDone: Action<Answer>["onDone"];
}): Edit<Subject, Values> {
  const [base, setBase] = useState(() => ({ record, values: valuesOf(record) }));
  const [written, setWritten] = useState<Partial<Values>>({});
  const [conflict, setConflict] = useState<Omit<Conflict, "takeTheirs">>();
  const values = { ...base.values, ...written };
  const changed = changedOf(base.values, written);
  const { result, finish } = useResult(onDone);
  const change = useChange({
    change: () => send(changed, { etag: base.record?.etag }, values),
    untrue,
    onDone: finish,
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
  const set = (more: Partial<Values>) => setWritten({ ...written, ...more });
  return {
    record: base.record,
    values,
    set,
    bind: bindTo(values, set),
    begin,
    isChanged: Object.keys(changed).length > 0,
    submit() {
      setConflict(undefined);
      change.mutate();
    },
    isPending: change.isPending,
    error: conflict === undefined ? change.error : undefined,
    result,
    conflict: conflict && { ...conflict, takeTheirs: () => begin(base.record) },
  };
}

/** The props that tie a field of a form to its value. */
type Bind<Values> = <Name extends keyof Values & string>(
  name: Name,
) => { readonly name: Name; readonly value: Values[Name]; readonly onChange: (value: Values[Name]) => void };

function bindTo<Values extends object>(values: Values, set: (more: Partial<Values>) => void): Bind<Values> {
  return (name) => ({
    name,
    value: values[name],
    onChange: (value) => set({ [name]: value } as unknown as Partial<Values>),
  });
}

/** The values of a form that makes something new. */
export function useDraft<Values extends object>(initial: Values | (() => Values)) {
  const [values, setValues] = useState(initial);
  const set = (more: Partial<Values>) => setValues((before) => ({ ...before, ...more }));
  return { values, set, bind: bindTo(values, set) };
}

/** One key for each opened form: sent twice, or again after a lost answer, the change happens once. */
export function useIdempotencyKey(): string {
  return useState(() => crypto.randomUUID())[0];
}

/** What was written that is not what was there. */
function changedOf<Values extends object>(before: Values, written: Partial<Values>): Partial<Values> {
  const changed = { ...written };
  for (const name in changed) {
    if (JSON.stringify(changed[name]) === JSON.stringify(before[name])) delete changed[name];
  }
  return changed;
}
