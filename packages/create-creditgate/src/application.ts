import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Choices } from "./choices.ts";

const here = join(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));

/** The values that an application gets. */
export interface ApplicationOptions extends Choices {
  /** The name in its package.json. */
  readonly name: string;
  /** Of the control plane that runs already. */
  readonly url?: string;
  readonly key?: string;
}

/**
 * The files of an application by their paths. They come from the folders of `templates` that have the name of a tag. Of a template,
 * a line that ends in `//? a b|c !d` is there if the application has the tags `a` and one of `b` and `c`, and not `d`.
 */
export function applicationOf(options: ApplicationOptions): ReadonlyMap<string, string> {
  const { framework, service, ledger, outbox, name, url = "", key = "" } = options;
  const tags = tagsOf(options);
  const route = framework === "next" ? "/api/chat" : "/chat";
  const values: Readonly<Record<string, string>> = {
    name,
    url,
    key,
    route,
    framework,
    service,
    ledger,
    outbox,
  };
  const files = new Map<string, string>();
  const templates = readdirSync(join(here, "templates"), { recursive: true, withFileTypes: true });
  for (const entry of templates) {
    const source = join(entry.parentPath, entry.name);
    const [folder = "", ...path] = source.slice(join(here, "templates").length + 1).split(/[\\/]/);
    if (!entry.isFile() || !tags.has(folder)) continue;
    // npm would read a .gitignore as its own, and test runners the tests of a template.
    const target = path
      .join("/")
      .replace(/(^|\/)_/, "$1.")
      .replace("_test.ts", ".test.ts");
    const lines = readFileSync(source, "utf8").split("\n");
    let text = lines
      .flatMap((line) => (isWanted(line, tags) ? [line.replace(condition, "")] : []))
      .join("\n");
    if (!tags.has("stores")) text = text.replaceAll(", onClosed", "");
    text = text.replace(/%(\w+)%/g, (_, value) => values[value] ?? "");
    files.set(target, target === "package.json" ? withVersions(text) : text);
  }
  return files;
}

const condition = / *\/\/\? (.*)$/;

function isWanted(line: string, tags: ReadonlySet<string>): boolean {
  const terms = condition.exec(line)?.[1]?.split(" ") ?? [];
  return terms.every((term) =>
    term.split("|").some((tag) => (tag.startsWith("!") ? !tags.has(tag.slice(1)) : tags.has(tag))),
  );
}

function tagsOf({ framework, service, ledger, outbox }: Choices): ReadonlySet<string> {
  const tags = new Set<string>(["base", framework, service, `${ledger}-ledger`, `${outbox}-outbox`]);
  const isAny = (...names: string[]) => names.some((name) => tags.has(name));
  const derived = {
    node: framework !== "next",
    plane: service !== "table",
    dev: service !== "existing",
    shared: ledger !== "memory",
    durable: outbox !== "memory",
    sqlite: outbox === "sqlite",
    redis: isAny("redis-ledger", "redis-outbox"),
    postgres: isAny("postgres-ledger", "postgres-outbox"),
    sql: isAny("postgres-ledger", "postgres-outbox", "table"),
    stores: isAny("redis-ledger", "postgres-ledger", "table") || outbox !== "memory",
  };
  for (const [tag, isThere] of Object.entries(derived)) if (isThere) tags.add(tag);
  return tags;
}

/** Our packages in the version of this one, those of others in the versions of its devDependencies, with which they are tested. */
function withVersions(text: string): string {
  const application = JSON.parse(text.replace(/,(?=\s*})/g, ""));
  for (const kind of ["dependencies", "devDependencies"]) {
    const names = Object.keys(application[kind]).sort();
    application[kind] = Object.fromEntries(names.map((name) => [name, `^${versionOf(name)}`]));
  }
  return `${JSON.stringify(application, undefined, 2)}\n`;
}

function versionOf(name: string): string {
  return name.startsWith("@creditgate/") ? manifest.version : manifest.devDependencies[name];
}
