/** What one cell of the table of endings asserted: a result, or why there is none. */
export interface EndingCell {
  readonly request: string;
  readonly body: string;
  readonly ending: string;
  readonly result: string;
}
