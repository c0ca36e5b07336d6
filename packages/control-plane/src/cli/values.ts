import { readFileSync } from "node:fs";
import type { DatabaseTimeouts } from "../database/connection.ts";
import { ControlPlaneError, errorCode } from "../errors/control-plane-error.ts";
import type { Fixture } from "../fixture/fixture.ts";
import { parseFixture } from "../fixture/fixture.ts";

export const longestDelayMs: number = 24 * 60 * 60 * 1000;

export function integer(option: string, text: string, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw invalid(option, `a whole number from 0 to ${max}`, text);
}

export function optional(option: string, text: string | undefined, max: number): number | undefined {
  return text === undefined ? undefined : integer(option, text, max);
}

export function atLeastOne(option: string, text: string, max: number): number {
  const value = integer(option, text, max);
  if (value > 0) return value;
  throw invalid(option, `a whole number from 1 to ${max}`, text);
}

export function oneOf<Text extends string>(option: string, known: readonly Text[], text: string): Text {
  const found = known.find((candidate) => candidate === text);
  if (found === undefined) throw invalid(option, known.join(", "), text);
  return found;
}

export function readRole(name: string | undefined): string | undefined {
  if (name === undefined || /^[a-z_][a-z0-9_]{0,62}$/.test(name)) return name;
  throw invalid("--app-role", "a name of lower-case letters, digits and _", name);
}

export function nonEmpty(option: string, text: string): string {
  if (text.trim() !== "") return text;
  throw invalid(option, "a value", "an empty one");
}

export function readFixture(file: string): Fixture {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw invalid("--fixture", "a file that can be read", `${file} (${errorCode(cause)})`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw invalid("--fixture", `JSON in ${file}`, cause instanceof Error ? cause.message : String(cause));
  }
  return parseFixture(json, `--fixture ${file}`);
}

const timeoutNames: readonly (keyof DatabaseTimeouts)[] = [
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
];

export function readDatabaseUrl(text: string | undefined): string | undefined {
  const variable = "DATABASE_URL";
  if (text === undefined) return undefined;
  // A secret that was not filled in: what is done without it would hide that.
  if (text.trim() === "") {
    throw invalid(variable, "a URL, or no such variable for the embedded PostgreSQL", "an empty one");
  }
  if (/^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)) {
    const { searchParams } = new URL(text);
    for (const name of timeoutNames) {
      const [value, ...others] = searchParams.getAll(name);
      if (others.length > 0) throw invalid(`${variable}: ${name}`, "once", "it twice");
      // pg would take "5s" for 5 milliseconds.
      optional(`${variable}: ${name}`, value, longestDelayMs);
    }
    return text;
  }
  // The URL may hold a password: it is not repeated.
  throw invalid(variable, "a URL such as postgres://user@host:5432/database", "something else");
}

export function invalid(option: string, expected: string, received: string): ControlPlaneError {
  return new ControlPlaneError("config_invalid", `${option}: expected ${expected}, received ${received}`);
}
