/** The one error of this package, beside those of the driver: no answer in `timeoutMs`. Misuse is core's `invalid_option`. */
export class PostgresError extends Error {
  override readonly name = "PostgresError" as const;
  readonly code = "timeout" as const;

  constructor(timeoutMs: number) {
    super(`PostgreSQL has not answered in ${timeoutMs} ms`);
  }
}
