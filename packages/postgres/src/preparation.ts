import { migrate } from "./migrations.ts";
import type { Query } from "./sql.ts";

/** Sees to the schema before the first statement; where that fails, before the next one again. */
export class Preparation {
  readonly #query: Query;
  readonly #schema: string;
  #running: Promise<void> | undefined;

  constructor(query: Query, schema: string) {
    this.#query = query;
    this.#schema = schema;
  }

  done(): Promise<void> {
    this.#running ??= migrate(this.#query, this.#schema).catch((error: unknown) => {
      this.#running = undefined;
      throw error;
    });
    return this.#running;
  }
}
