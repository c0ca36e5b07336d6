import { readdirSync, readFileSync } from "node:fs";
import { refusalCodes } from "@creditgate/client";
import { describe, expect, it } from "vitest";

const source = new URL("../src/", import.meta.url);

/** All text of the control plane. */
function texts(): readonly string[] {
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(new URL(name, source), "utf8"));
}

describe("refusalCodes", () => {
  it("has every code with which requests and usage are refused as they are", () => {
    const all = texts().join("\n");
    const written = [...all.matchAll(/new Problem\(\s*(?:400|413),\s*"([a-z_]+)"/g)].map(([, code]) => code);
    const referents = ["customer_unknown", "agent_unknown", "indicator_unknown"];
    const ofUsage = ["amount_out_of_range", "idempotency_key_reused"];
    for (const code of [...written, ...referents, ...ofUsage]) expect(code).toMatch(refusalCodes);
    for (const code of ["ROUTE_NOT_FOUND", "route_unknown", ""]) expect(code).not.toMatch(refusalCodes);
  });
});
