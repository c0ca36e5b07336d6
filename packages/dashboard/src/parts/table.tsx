import { useSearch } from "@tanstack/react-router";
import { memo, type ReactNode, useMemo } from "react";
import { lastKnown } from "../api/client.ts";
import { type Credits, formatCredits } from "./amounts.ts";
import { TextButton } from "./button.tsx";
import { Failure } from "./failure.tsx";
import { named } from "./name.tsx";
import { useFilters } from "./toolbar.tsx";

interface ColumnLook<Row> {
  /** Only screen readers get the header. */
  readonly isUnseen?: boolean;
  /** The cell that names its row. */
  readonly isName?: boolean;
  /** Amounts and counts are aligned at the end. */
  readonly isNumber?: boolean;
  /** The width from which the column is shown: 1 a tablet, 2 a laptop, 3 a wide screen. Without it, always. */
  readonly from?: 1 | 2 | 3;
  /** Classes of the header and of the cells. */
  readonly width?: string;
  /** Classes of the cells alone. */
  readonly look?: string | ((row: Row) => string);
  readonly title?: (row: Row) => string | undefined;
}

export interface Column<Row> extends ColumnLook<Row> {
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
}

/** A column of a table: its header, its look, and what it shows of a row. */
export function column<Row>(
  header: ReactNode,
  look: ColumnLook<Row>,
  cell: (row: Row) => ReactNode,
): Column<Row> {
  return { ...look, header, cell };
}

/** The columns of a table; one that is `false` is left out. */
type Columns<Row> = readonly (Column<Row> | false)[];

interface RowLook {
  readonly className?: string | undefined;
  readonly "aria-selected"?: true | undefined;
}

/** Rows in columns. */
export function Table<Row>({
  caption,
  columns,
  rows,
  idOf,
  look,
  isOld,
  rowLook,
  last,
  foot,
}: {
  /** For screen readers. */
  readonly caption?: ReactNode;
  readonly columns: (make: typeof column<Row>) => Columns<Row>;
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string | number;
  readonly look?: string;
  /** Whether other rows are being loaded. */
  readonly isOld?: boolean;
  readonly rowLook?: (row: Row) => RowLook;
  /** A row after the others. */
  readonly last?: ReactNode;
  /** Rows of the foot. */
  readonly foot?: ReactNode;
}) {
  const shown = useMemo(() => columns(column), [columns]);
  return (
    <table className={look} aria-busy={isOld}>
      {caption !== undefined && <caption className="unseen">{caption}</caption>}
      <thead>
        <tr>
          {shown.map(
            (column, index) =>
              column !== false && (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table keep their places.
                <th key={index} scope="col" className={classOf(column)}>
                  {column.isUnseen ? <span className="unseen">{column.header}</span> : column.header}
                </th>
              ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <TableRow key={idOf(row)} row={row} columns={shown} {...rowLook?.(row)} />
        ))}
        {last}
      </tbody>
      {foot && <tfoot>{foot}</tfoot>}
    </table>
  );
}

function PlainRow<Row>({
  row,
  columns,
  ...look
}: RowLook & { readonly row: Row; readonly columns: Columns<Row> }) {
  return (
    <tr {...look}>
      {columns.map((column, index) => {
        if (column === false) return null;
        const className = classOf(column, typeof column.look === "function" ? column.look(row) : column.look);
        const shared = { className, title: column.title?.(row), children: named(column.cell(row)) };
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table keep their places.
        return column.isName ? <th key={index} scope="row" {...shared} /> : <td key={index} {...shared} />;
      })}
    </tr>
  );
}

/** A row is drawn again only if it changes, if the caller keeps the columns. */
const TableRow = memo(PlainRow) as typeof PlainRow;

function classOf<Row>({ isNumber, from, width }: Column<Row>, look?: string): string | undefined {
  return [isNumber && "r", from && `p${from}`, width, look].filter(Boolean).join(" ") || undefined;
}

/** An amount of a column: 0 is quiet. */
export function Amount<Of extends Credits>({
  of,
  format = formatCredits,
}: {
  readonly of: Of;
  readonly format?: (amount: Of) => string;
}) {
  return Number(of) === 0 ? <span className="zero">{format(of)}</span> : format(of);
}

/** In place of a value that is absent. */
export function None({ children = "none" }: { readonly children?: string }) {
  return <span className="zero">{children}</span>;
}

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

/** A list that is loaded part by part: its rows, and the way to the next part. Filters that match nothing can be cleared. */
export function Listing<Answer extends { readonly next: string | null }, Row>({
  query,
  rowsOf,
  what,
  empty,
  paging,
  end,
  children,
}: {
  readonly query: Loading<Answer>;
  readonly rowsOf: (answer: Answer) => readonly Row[];
  /** What the rows are: "invoices". */
  readonly what: string;
  /** In place of a list without rows, if no filter is set. */
  readonly empty: ReactNode;
  /** Where the part that is shown begins, and how to show another. @default as the address says */
  readonly paging?: readonly [string | undefined, (cursor: string | undefined) => void];
  /** In place of the way to the next part. */
  readonly end?: ReactNode;
  /** The table; `isOld` while other rows are being loaded. */
  readonly children: (rows: readonly Row[], isOld: boolean) => ReactNode;
}) {
  const search = useSearch({ strict: false });
  const { move, clear, isFiltered } = useFilters();
  const [cursor, onMove] = paging ?? [search.cursor, move];
  const isUnfit = paging === undefined && isFiltered;
  const none = isUnfit ? (
    <Empty title={`No matching ${what}`} action={<TextButton text="Clear filters" onPress={clear} />}>
      {`No ${what} match these filters.`}
    </Empty>
  ) : (
    empty
  );
  return (
    <Loaded query={query} failure={`The ${what} could not be loaded.`}>
      {(answer) => {
        const rows = rowsOf(answer);
        return (
          <>
            {rows.length === 0 ? none : children(rows, query.isPlaceholderData === true)}
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

interface EmptyProps {
  readonly title: string;
  /** What to do first. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** In place of a list without rows: what it will show, and the button that does what fills it. */
export function Empty({ title, action, children }: EmptyProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action && <div className="actions">{action}</div>}
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
