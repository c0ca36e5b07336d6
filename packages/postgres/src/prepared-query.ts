import { checkInteger, inTime } from "@creditgate/core/adapter";
import { migrate } from "./migrations.ts";
import type { Query, Row } from "./sql.ts";

/** A driver that hangs keeps what it is given, and has all of it to do when the server is back. */
const mostUnanswered = 1_000;

/** Runs statements, none of them before the schema has been seen to; where that fails, before the next one again. */
export class PreparedQuery {
  readonly #query: Query;
  readonly #schema: string;
  readonly #timeoutMs: number;
  #prepared: Promise<void> | undefined;
  #unanswered = 0;

  constructor(query: Query, schema: string, timeoutMs: number) {
    this.#query = query;
    this.#schema = schema;
    this.#timeoutMs = checkInteger("timeoutMs", timeoutMs, 1, 60_000);
  }

  /** A pool may wait for a connection for ever. What is done later has no second effect: steps are numbered. */
  run(text: string, values: readonly string[]): Promise<readonly Row[]> {
    const timeoutMs = this.#timeoutMs;
    if (this.#unanswered >= mostUnanswered) {
      const late = `${mostUnanswered} statements: until it does none is sent`;
      return Promise.reject(new PostgresError(late));
    }
    this.#unanswered++;
    const answered = this.#run(text, values).finally(() => void this.#unanswered--);
    return inTime(answered, timeoutMs, () => new PostgresError(`in ${timeoutMs} ms`));
  }

  async #run(text: string, values: readonly string[]): Promise<readonly Row[]> {
    const prepared = this.#prepare();
    await prepared;
    try {
      return await this.#query(text, values);
    } catch (error) {
      if (!isMissing(error)) throw error;
      // The schema was dropped. A new one is empty, begins a new epoch, and the living processes register again.
      if (this.#prepared === prepared) this.#prepared = undefined;
      await this.#prepare();
      return this.#query(text, values);
    }
  }

  #prepare(): Promise<void> {
    this.#prepared ??= migrate(this.#query, this.#schema).catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }
}

/** The SQLSTATEs of a schema, a function and a table that are not there. */
const missing: readonly unknown[] = ["3F000", "42883", "42P01"];

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && missing.includes(error.code);
}

/** The one error of this package, beside those of the driver: no answer in `timeoutMs`, or to so much that no more is sent. Misuse is core's `invalid_option`. */
export class PostgresError extends Error {
  override readonly name = "PostgresError" as const;
  readonly code = "timeout" as const;

  constructor(late: string) {
    super(`PostgreSQL has not answered ${late}`);
  }
}
