import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { standing } from "../api/standing.ts";
import { Bones } from "./bones.tsx";
import { Failure } from "./failure.tsx";
import { Pager } from "./pager.tsx";

/** A part of a list that the admin API answers. */
interface Part {
  readonly next: string | null;
}

/** A list as it is being loaded: bones, an error, nothing, or its rows with the way to the next part. */
export function Listing<Answer extends Part, Row>({
  query,
  rowsOf,
  failure,
  empty,
  cursor,
  onMove,
  end,
  children,
}: {
  readonly query: UseQueryResult<Answer>;
  readonly rowsOf: (answer: Answer) => readonly Row[];
  /** "The orders could not be loaded." */
  readonly failure: string;
  /** In place of a list without rows. */
  readonly empty: ReactNode;
  readonly cursor: string | undefined;
  readonly onMove: (cursor: string | undefined) => void;
  /** In place of the way to the next part, where there is none from here. */
  readonly end?: ReactNode;
  /** The table; `isOld` while other rows are being loaded. */
  readonly children: (rows: readonly Row[], isOld: boolean) => ReactNode;
}): ReactNode {
  return (
    <Loaded query={query} failure={failure}>
      {(answer) => {
        const rows = rowsOf(answer);
        return (
          <>
            {rows.length === 0 ? empty : children(rows, query.isPlaceholderData)}
            {end ?? <Pager cursor={cursor} next={answer.next} onMove={onMove} />}
          </>
        );
      }}
    </Loaded>
  );
}

/** A list that comes as one, as it is being loaded. */
export function WholeListing<Row>({
  query,
  failure,
  pending,
  empty,
  children,
}: {
  readonly query: UseQueryResult<readonly Row[]>;
  /** "The members could not be loaded." */
  readonly failure: string;
  /** Until it has come. @default bones */
  readonly pending?: ReactNode;
  /** In place of a list without rows. */
  readonly empty: ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
}): ReactNode {
  return (
    <Loaded query={query} failure={failure} pending={pending}>
      {(rows) => (rows.length === 0 ? empty : children(rows))}
    </Loaded>
  );
}

function Loaded<Answer>({
  query,
  failure,
  pending = <Bones />,
  children,
}: {
  readonly query: UseQueryResult<Answer>;
  readonly failure: string;
  readonly pending?: ReactNode;
  readonly children: (answer: Answer) => ReactNode;
}): ReactNode {
  if (query.isPending) return pending;
  const known = standing(query);
  return (
    <>
      {query.isError && <Failure error={query.error} what={failure} onRetry={() => void query.refetch()} />}
      {known !== undefined && children(known)}
    </>
  );
}
