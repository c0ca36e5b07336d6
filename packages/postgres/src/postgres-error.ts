/** The one error of this package, beside those of the driver: no answer in `timeoutMs`, or to so much that no more is sent. Misuse is core's `invalid_option`. */
export class PostgresError extends Error {
  override readonly name = "PostgresError" as const;
  readonly code = "timeout" as const;

  constructor(late: string) {
    super(`PostgreSQL has not answered ${late}`);
  }
}
