import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { lastKnown } from "../api/client.ts";
import { TextButton } from "./button.tsx";
import { Failure } from "./failure.tsx";
import { useFilters } from "./toolbar.tsx";

/** A query of TanStack Query, as far as a page shows its state. */
export interface Loading<Answer> {
  readonly isPending: boolean;
  readonly isPlaceholderData?: boolean;
  readonly data: Answer | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** The answer of a query; bones until it arrives, and an error if it cannot be loaded, or not again. */
export function Loaded<Answer>({
  query,
  failure,
  pending = <Bones />,
  children,
}: {
  readonly query: Loading<Answer>;
  /** "The orders could not be loaded." */
  readonly failure: string;
  /** Shown until the answer arrives. @default bones */
  readonly pending?: ReactNode;
  readonly children: (answer: Answer) => ReactNode;
}) {
  if (query.isPending) return pending;
  const known = lastKnown(query);
  return (
    <>
      {query.error !== null && (
        <Failure error={query.error} what={failure} onRetry={() => void query.refetch()} />
      )}
      {known !== undefined && children(known)}
    </>
  );
}

/** A list that is loaded part by part: its rows, and the way to the next part. */
export function Listing<Answer extends { readonly next: string | null }, Row>({
  query,
  rowsOf,
  failure,
  empty,
  paging,
  end,
  children,
}: {
  readonly query: Loading<Answer>;
  readonly rowsOf: (answer: Answer) => readonly Row[];
  readonly failure: string;
  /** In place of a list without rows. */
  readonly empty: ReactNode;
  /** Where the part that is shown begins, and how to show another. @default as the address says */
  readonly paging?: readonly [string | undefined, (cursor: string | undefined) => void];
  /** In place of the way to the next part. */
  readonly end?: ReactNode;
  /** The table; `isOld` while other rows are being loaded. */
  readonly children: (rows: readonly Row[], isOld: boolean) => ReactNode;
}) {
  const search = useSearch({ strict: false });
  const { move } = useFilters();
  const [cursor, onMove] = paging ?? [search.cursor, move];
  return (
    <Loaded query={query} failure={failure}>
      {(answer) => {
        const rows = rowsOf(answer);
        return (
          <>
            {rows.length === 0 ? empty : children(rows, query.isPlaceholderData === true)}
            {end ?? <Pager cursor={cursor} next={answer.next} onMove={onMove} />}
          </>
        );
      }}
    </Loaded>
  );
}

/** In place of what is no table. */
export const bone = <div className="bone block" />;

const bones = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** In place of a table that is being loaded; about as high. */
export function Bones() {
  return (
    <div className="bones" aria-hidden="true">
      {bones.map((row) => (
        <div key={row} className="bone-row">
          <span className="bone w3" />
          <span className="bone w2" />
        </div>
      ))}
    </div>
  );
}

/** In place of a list without rows: what it will show, and what fills it. */
export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}

interface PagerProps {
  /** Where the part that is shown begins; absent for the first. */
  readonly cursor: string | undefined;
  /** Where the next one begins. */
  readonly next: string | null | undefined;
  /** Called with the beginning of another part, and with `undefined` for the first. */
  readonly onMove: (cursor: string | undefined) => void;
}

/** Leads through a list part by part. Absent if the list has one part. */
function Pager({ cursor, next, onMove }: PagerProps) {
  const isFirst = cursor === undefined;
  const isLast = next === undefined || next === null;
  if (isFirst && isLast) return null;
  return (
    <div className="pager">
      <div className="end">
        <TextButton text="First page" look="sm" isDisabled={isFirst} onPress={() => onMove(undefined)} />
        <TextButton text="Next" look="sm" isDisabled={isLast} onPress={() => isLast || onMove(next)} />
      </div>
    </div>
  );
}
