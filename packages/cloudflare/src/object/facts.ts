import { type ObjectStorage, textIn } from "./storage.ts";

/** What an object remembers beside its accounts and its reports: text, by name. */
export class Facts {
  readonly #storage: ObjectStorage;
  readonly #prefix: string;
  readonly #known = new Map<string, string>();

  constructor(storage: ObjectStorage, prefix: string) {
    this.#storage = storage;
    this.#prefix = prefix;
    for (const row of storage.sql.exec(`SELECT name, value FROM ${prefix}_fact`)) {
      this.#known.set(textIn(row, "name"), textIn(row, "value"));
    }
  }

  get(name: string): string | undefined {
    return this.#known.get(name);
  }

  set(name: string, value: string): void {
    if (this.#known.get(name) === value) return;
    this.#storage.sql.exec(
      `INSERT OR REPLACE INTO ${this.#prefix}_fact (name, value) VALUES (?, ?)`,
      name,
      value,
    );
    this.#known.set(name, value);
  }
}
