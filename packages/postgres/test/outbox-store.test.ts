import type { OutboxBeat, OutboxStep, OutboxStore } from "@creditgate/core";
import { createRandom, MemoryOutboxStore, type Random } from "@creditgate/core/testing";
import { describe, expect, it } from "vitest";
import { postgresSettings } from "../src/options.ts";
import { postgresOutboxStore } from "../src/postgres-outbox-store.ts";
import { createTestDatabase } from "./database.ts";

const abandonMs = 1_000;
const { pool } = await createTestDatabase();

/** PostgreSQL, and the store in memory that it is held against: by one clock, which the test moves. */
class TwoStores {
  readonly #memory = new MemoryOutboxStore(() => this.now);
  readonly #postgres: OutboxStore;
  readonly #schema: string;
  /** The places of the rows in both. */
  readonly #places: { readonly memory: string; readonly postgres: string; readonly lane: string }[] = [];
  now = 0;

  private constructor(schema: string) {
    this.#schema = schema;
    this.#postgres = postgresOutboxStore(postgresSettings({ sql: pool, schema }), "one");
  }

  static async create(schema: string): Promise<TwoStores> {
    const stores = new TwoStores(schema);
    await stores.#postgres.read("", "", undefined);
    await pool.query(`
      create table ${schema}.trial (now bigint); insert into ${schema}.trial values (0);
      create or replace function ${schema}.clock() returns bigint language sql volatile as 'select now from ${schema}.trial'`);
    return stores;
  }

  async pass(ms: number): Promise<void> {
    this.now += ms;
    await pool.query(`update ${this.#schema}.trial set now = ${this.now}`);
  }

  /** The numbers of the rows that have been written in these lanes. */
  rowsOf(lanes: readonly string[]): readonly number[] {
    return [...this.#places.keys()].filter((number) => lanes.includes(this.#places[number]?.lane ?? ""));
  }

  async beat(beat: OutboxBeat): Promise<readonly string[]> {
    const [expected, found] = [await this.#memory.beat(beat), await this.#postgres.beat(beat)];
    const sorted = ({ lanes, ledgers, ...rest }: typeof found) => ({
      ...rest,
      lanes: [...lanes].sort(),
      ledgers: [...ledgers].sort(),
    });
    expect(sorted(found)).toEqual(sorted(expected));
    return found.lanes;
  }

  /** `noted` and `dropped` name rows by their numbers. */
  async write(step: OutboxStep): Promise<"ok" | "behind" | "taken"> {
    const expected = await this.#memory.write(this.#as("memory", step));
    const found = await this.#postgres.write(this.#as("postgres", step));
    expect(found.status).toBe(expected.status);
    expect(found.places).toHaveLength(expected.places.length);
    for (const [at, memory] of expected.places.entries()) {
      const postgres = found.places[at] ?? "";
      const isKnown = this.#places.some((row) => row.memory === memory && row.postgres === postgres);
      if (!isKnown) this.#places.push({ memory, postgres, lane: step.process });
    }
    return found.status;
  }

  async read(process: string, lane: string): Promise<void> {
    const all = async (store: OutboxStore) => {
      const rows: string[] = [];
      let after: string | undefined;
      for (;;) {
        const page = await store.read(process, lane, after);
        for (const { text, note } of page) rows.push(`${text} ${note}`);
        after = page.at(-1)?.place;
        if (after === undefined) return rows;
      }
    };
    expect(await all(this.#postgres)).toEqual(await all(this.#memory));
  }

  #as(which: "memory" | "postgres", step: OutboxStep): OutboxStep {
    const placeOf = (number: string) => this.#places[Number(number)]?.[which] ?? "0";
    return {
      ...step,
      noted: step.noted.map(({ place, note }) => ({ place: placeOf(place), note })),
      dropped: step.dropped.map(placeOf),
    };
  }
}

interface Life {
  readonly process: string;
  readonly name: string;
  seq: number;
  lanes: readonly string[];
}

async function live(random: Random, stores: TwoStores, lives: Life[], step: number): Promise<void> {
  const one = lives[random.integer(0, lives.length - 1)];
  if (one === undefined || random.chance(0.08)) {
    const process = `p${step}`;
    const life: Life = { process, name: random.chance(0.5) ? process : "named", seq: 0, lanes: [] };
    lives.push(life);
    life.lanes = await stores.beat({ ...life, joining: true, leaving: false, abandonMs });
    return;
  }
  const { process, name } = one;
  if (random.chance(0.35)) {
    const seq = one.seq + (random.chance(0.05) ? 1 : 0);
    const [joining, leaving] = [random.chance(0.1), random.chance(0.08)];
    one.lanes = await stores.beat({ process, name, seq, joining, leaving, abandonMs });
    for (const lane of one.lanes) await stores.read(process, lane);
    return;
  }
  const some = (): string[] => {
    const rows = stores.rowsOf(one.lanes);
    const count = rows.length === 0 ? 0 : random.integer(0, 2);
    return Array.from({ length: count }, () => String(rows[random.integer(0, rows.length - 1)]));
  };
  const ledgers = () => (random.chance(0.2) ? [`ledger ${random.integer(0, 3)}`] : []);
  const endedLanes = one.lanes.filter((lane) => lane !== process && random.chance(0.2));
  const seq = one.seq + (random.chance(0.9) ? 1 : random.integer(0, 2));
  const status = await stores.write({
    process,
    seq,
    endedLanes,
    added: Array.from({ length: random.integer(0, 3) }, (_, at) => ({
      text: `${step}.${at} \\u0000 "'💶`,
      note: random.chance(0.5) ? "" : "noted",
    })),
    noted: [...new Set(some())].map((place) => ({ place, note: `note ${step}` })),
    dropped: some(),
    set: random.chance(0.1) ? { [`name ${random.integer(0, 1)}`]: `value ${step}` } : {},
    begunLedgers: ledgers(),
    endedLedgers: ledgers(),
  });
  if (status !== "ok") return;
  one.seq = seq;
  one.lanes = one.lanes.filter((lane) => !endedLanes.includes(lane));
}

describe("the outbox store", () => {
  it("answers random beats, steps and reads as the one in memory does", async () => {
    for (let seed = 1; seed <= 3; seed++) {
      const random = createRandom(seed);
      const stores = await TwoStores.create(`seed_${seed}`);
      const lives: Life[] = [];
      for (let step = 0; step < 150; step++) {
        await stores.pass(random.chance(0.1) ? random.integer(300, 1_500) : random.integer(0, 60));
        await live(random, stores, lives, step);
      }
      expect(stores.rowsOf(lives.map(({ process }) => process)).length).toBeGreaterThan(20);
    }
  });
});
