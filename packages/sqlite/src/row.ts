/** A row as the database gives it: columns by name. */
export type Row = Readonly<Record<string, unknown>>;

/** The boundary at which what a database has answered becomes a row; one without columns for none. */
export function row(answer: unknown): Row {
  return typeof answer === "object" && answer !== null ? (answer as Row) : {};
}

export function rows(answer: unknown): readonly Row[] {
  return Array.isArray(answer) ? answer.map(row) : [];
}
