import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

const source = ["tables", "order-tables", "people-tables", "webhook-tables"]
  .map((file) => readFileSync(new URL(`../src/database/${file}.ts`, import.meta.url), "utf8"))
  .join("\n");

/** What PostgreSQL's types are read as; what is not here is text, or JSON. */
const readAs: Readonly<Record<string, string>> = {
  bigint: "bigint",
  integer: "number",
  smallint: "number",
  boolean: "boolean",
  "timestamp with time zone": "Date",
};

/** The tables and columns that the types name, each with what is read of it and whether that may be null. */
function declared(): readonly string[] {
  const interfaces = new Map(
    [
      ...source.matchAll(/^export interface (\w+Table) \{\n(.*?)^\}|^interface (\w+Table) \{\n(.*?)^\}/gms),
    ].map(([, name, body, own, ownBody]) => [name ?? own, body ?? ownBody ?? ""]),
  );
  const inline = [...source.matchAll(/^ {2}(\w+): \{\n(.*?)^ {2}\};/gms)].map(([, name, body]) => [
    name,
    body,
  ]);
  const named = [...source.matchAll(/^ {2}(\w+): (\w+Table);$/gm)].map(([, name, type]) => [
    name,
    interfaces.get(type),
  ]);
  return [...inline, ...named].flatMap(([table, body = ""]) =>
    [...body.matchAll(/^ +(\w+): (?:(?:Generated|GeneratedAlways|ColumnType)<)?(.*);$/gm)].flatMap(
      ([, column, type = ""]) => {
        const [selected = ""] = type.split(/,(?! readonly)|>/);
        if (selected === "never" || selected === "unknown") return [];
        const base = selected.replace(" | null", "");
        const kind = Object.values(readAs).includes(base) ? base : "text";
        return [`${table}.${column}: ${kind}${/ \| null/.test(selected) ? " or null" : ""}`];
      },
    ),
  );
}

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(acme);
});
afterAll(() => scene.close());

describe("the types of tables", () => {
  it("say of each column that they name what the schema says", async () => {
    const { rows } = await scene.pool.query<{ name: string; type: string; nullable: string }>(
      `select table_name || '.' || column_name as name, data_type as type, is_nullable as nullable
         from information_schema.columns where table_schema = current_schema()`,
    );
    const columns = rows.map(
      ({ name, type, nullable }) =>
        `${name}: ${readAs[type] ?? "text"}${nullable === "YES" ? " or null" : ""}`,
    );
    const types = declared();
    expect(types.length).toBeGreaterThan(300);
    expect(types.filter((column) => !columns.includes(column))).toEqual([]);
  });
});
