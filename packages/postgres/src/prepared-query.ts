import { checkInteger, inTime } from "@creditgate/core";
import { migrate } from "./migrations.ts";
import { PostgresError } from "./postgres-error.ts";
import type { Query, Row } from "./sql.ts";

/** Runs statements, none of them before the schema has been seen to; where that fails, before the next one again. */
export class PreparedQuery {
  readonly #query: Query;
  readonly #schema: string;
  readonly #timeoutMs: number;
  #running: Promise<void> | undefined;

  constructor(query: Query, schema: string, timeoutMs: number) {
    this.#query = query;
    this.#schema = schema;
    this.#timeoutMs = checkInteger("timeoutMs", timeoutMs, 1, 60_000);
  }

  /** A pool may wait for a connection for ever. What is done later has no second effect: steps are numbered. */
  run(text: string, values: readonly string[]): Promise<readonly Row[]> {
    const timeoutMs = this.#timeoutMs;
    return inTime(this.#run(text, values), timeoutMs, () => new PostgresError(timeoutMs));
  }

  async #run(text: string, values: readonly string[]): Promise<readonly Row[]> {
    this.#running ??= migrate(this.#query, this.#schema).catch((error: unknown) => {
      this.#running = undefined;
      throw error;
    });
    await this.#running;
    return this.#query(text, values);
  }
}
