import { memo, type ReactNode, useMemo } from "react";
import { formatCredits } from "./amounts.ts";

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
        const shared = { className, title: column.title?.(row), children: column.cell(row) };
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
export function Amount({
  of,
  format = formatCredits,
}: {
  readonly of: number;
  readonly format?: (amount: number) => string;
}) {
  return of === 0 ? <span className="zero">{format(of)}</span> : format(of);
}

/** In place of a value that is absent. */
export function None({ children = "none" }: { readonly children?: string }) {
  return <span className="zero">{children}</span>;
}
