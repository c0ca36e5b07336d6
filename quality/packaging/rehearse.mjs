import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";

const root = resolve(import.meta.dirname, "../..");
const releases = [20, 22, 24];
const managers = ["npm", "pnpm", "yarn"];
/** What a gate for Express weighs at most, with its client, the adapter and their dependencies. */
const mostMegabytes = 16;

/**
 * Publishes the tarballs to a registry of its own on loopback, and installs from it what the READMEs print, in empty folders: each
 * with one pair of Node and package manager, in turn; with `full`, each with all nine. `serve` keeps the registry until Ctrl-C.
 */
export async function rehearse({ step, run, tool, folder, packages, tarballs, full, serve }) {
  const scratch = await mkdtemp(join(tmpdir(), "creditgate-rehearsal-"));
  await chmod(scratch, 0o755);
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  const manifests = new Map();
  for (const name of packages) {
    const manifest = JSON.parse(await readFile(join(root, "packages", name, "package.json"), "utf8"));
    manifests.set(manifest.name, manifest);
  }
  let registry;
  await step("registry", async () => {
    const upstream = (await run("npm", ["config", "get", "registry"])).stdout.trim();
    registry = await startRegistry({ scratch, upstream, ours: [...manifests.keys()] });
    return registry;
  });
  const env = environment(registry, scratch);
  await writeFile(env.npm_config_userconfig, `${registry.slice("http:".length)}/:_authToken=rehearsal\n`);

  await step("publish", async () => {
    for (const [, file] of tarballs) await run("npm", ["publish", join(folder, file)], { env });
    return `${tarballs.length} packages`;
  });
  const nodes = new Map();
  await step("Node", async () => {
    const versions = [];
    for (const release of releases) {
      const print = `node -p 'process.execPath + " " + process.version'`;
      const { stdout } = await run("npx", ["-y", "-p", `node@${release}`, "-c", print]);
      const [path, version] = stdout.trim().split(" ");
      const PATH = [dirname(path), dirname(tool("pnpm")), process.env.PATH].join(":");
      nodes.set(release, { ...env, PATH });
      versions.push(version);
    }
    return versions.join(", ");
  });

  /** An empty folder, removed when the work is done. */
  async function within(release, work) {
    const application = await mkdtemp(join(scratch, "app-"));
    // Where root starts a PostgreSQL, the account that runs it has to get in.
    await chmod(application, 0o755);
    const inside = (command, ...args) => run(command, args, { cwd: application, env: nodes.get(release) });
    inside.spawn = (command, args, { cwd, env }) =>
      spawn(command, args, {
        cwd,
        env: { ...nodes.get(release), ...env },
        detached: true,
        stdio: ["ignore", "pipe", "ignore"],
      });
    const result = await work(application, inside);
    await rm(application, { recursive: true });
    return result;
  }

  await step("a gate for Express", () => within(20, weigh), { goesOn: true });
  const pairs = releases.flatMap((release) => managers.map((manager) => [release, manager]));
  for (const [at, printed] of (await printedCommands(packages)).entries()) {
    for (const [release, manager] of full ? pairs : [pairs[(at * 4) % pairs.length]]) {
      const work = (application, inside) => install({ ...printed, manager, application, inside, manifests });
      const name = `${printed.readme}, Node ${release}, ${manager}`;
      await step(name, () => within(release, work), { goesOn: true });
    }
  }
  if (manifests.has("create-creditgate")) {
    for (const [release, manager] of full ? pairs : [pairs[0], pairs[4], pairs[6]]) {
      // Its README: Yarn's Plug'n'Play is not tested.
      if (manager === "yarn") continue;
      const work = (application, inside) => create(manager, application, inside);
      await step(`create-creditgate, Node ${release}, ${manager}`, () => within(release, work), {
        goesOn: true,
      });
    }
  }
  if (serve) {
    console.log(`npm_config_registry=${registry} installs from here, until Ctrl-C`);
    await once(process, "SIGINT");
  }
}

/** Verdaccio: ours are its own, all others come from the registry that npm is configured for, and stay in `dist/registry`. */
async function startRegistry({ scratch, upstream, ours }) {
  const storage = join(root, "dist/registry");
  await mkdir(storage, { recursive: true });
  for (const name of [...ours, ".verdaccio-db.json"]) {
    await rm(join(storage, name), { recursive: true, force: true });
  }
  const own = { access: "$all", publish: "$all" };
  const require = createRequire(join(root, "quality/packaging/rehearsal/package.json"));
  const { runServer } = require("verdaccio");
  const server = await runServer({
    self_path: scratch,
    storage,
    web: { enable: false },
    auth: { htpasswd: { file: join(scratch, "htpasswd") } },
    uplinks: { upstream: { url: upstream, maxage: "1d" } },
    packages: {
      ...Object.fromEntries(["@creditgate/*", ...ours].map((name) => [name, own])),
      // Not ours: whatever runs it by name alone fails here.
      creditgate: own,
      "**": { access: "$all", proxy: "upstream" },
    },
    log: { type: "file", path: join(scratch, "verdaccio.log"), level: "warn" },
  });
  server.listen(0, "127.0.0.1");
  server.unref();
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}`;
}

/** Of npm, pnpm and yarn: nothing of the user's configuration and caches. */
function environment(registry, scratch) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return {
    ...Object.fromEntries(inherited),
    npm_config_userconfig: join(scratch, "npmrc"),
    npm_config_registry: registry,
    npm_config_cache: join(scratch, "npm"),
    npm_config_store_dir: join(scratch, "pnpm"),
    // Nobody is there to answer "Ok to proceed?".
    npm_config_yes: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
    YARN_GLOBAL_FOLDER: join(scratch, "yarn"),
    YARN_ENABLE_TELEMETRY: "0",
    // It would wait days for what has just been published.
    YARN_NPM_MINIMAL_AGE_GATE: "0",
    YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
  };
}

/** What each README has its reader install, and the commands that it then runs from it. */
async function printedCommands(packages) {
  const printed = [];
  for (const name of packages) {
    const text = await readFile(join(root, "packages", name, "README.md"), "utf8");
    const [, block = ""] = /^```sh\n([\s\S]*?)^```$/m.exec(text) ?? [];
    const [, installed = ""] = /^npm install ([^#\n]+)/m.exec(block) ?? [];
    if (installed === "") continue;
    const bins = Array.from(block.matchAll(/^npx -p (\S+) (\S+)/gm), ([, from, bin]) => ({ from, bin }));
    printed.push({ readme: `packages/${name}/README.md`, wanted: installed.trim().split(/\s+/), bins });
  }
  return printed;
}

async function install({ wanted, bins, manager, application, inside, manifests }) {
  await writeFile(join(application, "package.json"), JSON.stringify({ name: "application", private: true }));
  if (manager === "npm") await inside("npm", "install", ...wanted);
  if (manager === "pnpm") await inside("pnpm", "add", ...wanted);
  if (manager === "yarn") {
    // The application has its framework already; npm and pnpm install it along, yarn does not.
    const peers = wanted.flatMap((name) => {
      const { peerDependencies = {}, peerDependenciesMeta = {} } = manifests.get(name) ?? {};
      return Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
    });
    await inside("yarn", "add", ...wanted, ...peers);
  }
  if (manager === "npm") await oneOfEach(application);
  const specifiers = wanted.flatMap((name) =>
    Object.entries(manifests.get(name)?.exports ?? {})
      .filter(([, entry]) => entry.require !== undefined)
      .map(([entry]) => name + entry.slice(1)),
  );
  await writeFile(join(application, "try.mjs"), attempt);
  const node = manager === "yarn" ? ["yarn", "node"] : ["node"];
  const { stdout } = await inside(...node, "try.mjs", ...specifiers);
  for (const { from, bin } of bins) {
    if (manager === "npm") await inside("npx", "--no", "-p", from, bin, "--help");
    else await inside(manager, "exec", bin, "--help");
  }
  return [stdout.trim(), ...bins.map(({ bin }) => `${bin} --help`)].join(", ");
}

/** Creates an application, and asks it as the commands do that it prints: alice has credits, bob has none. */
async function create(manager, application, inside) {
  const from = Date.now();
  const pass = manager === "npm" ? ["--"] : [];
  await inside(manager, "create", "creditgate", "my-app", ...pass, "--yes");
  const [port, planePort] = await Promise.all([freePort(), freePort()]);
  const child = inside.spawn(manager, ["run", "dev"], {
    cwd: join(application, "my-app"),
    env: { PORT: String(port), CONTROL_PLANE_PORT: String(planePort) },
  });
  const exited = once(child, "exit");
  try {
    let printed = "";
    // No `for await`: leaving that would close its output, and end it.
    await new Promise((resolve, reject) => {
      child.once("exit", () => reject(new Error(`npm run dev has ended: ${printed}`)));
      child.stdout.on("data", (chunk) => {
        printed += chunk;
        if ((printed.match(/^.*curl .*\n/gm) ?? []).length >= 2) resolve();
      });
    });
    const commands = Array.from(printed.matchAll(/curl (.*)$/gm), ([, rest]) => rest);
    const codes = [];
    // It prints them shortly before it listens.
    for (const rest of commands) {
      const { stdout } = await inside(
        "sh",
        "-c",
        `curl -so /dev/null -w '%{http_code}' --retry 60 --retry-delay 1 --retry-connrefused ${rest}`,
      );
      codes.push(stdout);
    }
    if (codes.join() !== "200,402") throw new Error(`expected 200,402, received ${codes}: ${printed}`);
    return `first gated stream after ${Math.round((Date.now() - from) / 1_000)} s, then a 402`;
  } finally {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, "SIGTERM");
    await exited;
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

/** The types of two copies would not fit each other. */
async function oneOfEach(application) {
  const lock = JSON.parse(await readFile(join(application, "node_modules/.package-lock.json"), "utf8"));
  const names = Object.keys(lock.packages).map((place) => place.split("node_modules/").at(-1));
  const twice = names.filter((name, at) => /^@creditgate\/|^zod$/.test(name) && names.indexOf(name) !== at);
  if (twice.length > 0) throw new Error(`installed twice: ${twice}`);
}

/** Imports and requires each entry, and lets a gate decide: two requests on the credits of one. */
const attempt = `
import { createRequire } from "node:module";
import { createServer } from "node:net";
import process from "node:process";
const require = createRequire(import.meta.url);
const specifiers = process.argv.slice(2);
for (const specifier of specifiers) {
  // It imports from the runtime of Workers.
  if (specifier === "@creditgate/cloudflare") continue;
  const imported = await import(specifier);
  const required = require(specifier);
  for (const name of Object.keys(imported)) {
    if (imported[name] !== required[name]) throw new Error(specifier + ": two copies of " + name);
  }
}
let tried = specifiers.length + " entries";
if (specifiers.includes("@creditgate/core")) {
  const { createGate } = await import("@creditgate/core");
  const service = { name: "none", settles: "at once", balance: async () => ({ available: 5 }), report: async () => [] };
  const gate = createGate({ service, currency: "credits", price: () => 5 });
  const ask = () => gate.authorize({ customerId: "alice", agentId: "chat", indicator: "message", hold: 5 });
  const decisions = await Promise.all([ask(), ask()]);
  if (decisions.filter(({ allowed }) => allowed).length !== 1) throw new Error("not one of two was admitted");
  for (const { charge } of decisions) await charge?.settle();
  await gate.close();
  tried += ", a gate admits one of two";
}
console.log(tried);
`;

async function weigh(application, inside) {
  await writeFile(join(application, "package.json"), JSON.stringify({ name: "application", private: true }));
  await inside(
    "npm",
    "install",
    "--omit=peer",
    "@creditgate/express",
    "@creditgate/core",
    "@creditgate/client",
  );
  const lock = JSON.parse(await readFile(join(application, "node_modules/.package-lock.json"), "utf8"));
  const places = Object.entries(lock.packages);
  const scripts = places.filter(([, { hasInstallScript }]) => hasInstallScript);
  if (scripts.length > 0) throw new Error(`install scripts: ${scripts.map(([place]) => place)}`);
  const { stdout } = await inside("du", "-sk", "node_modules");
  const megabytes = Number.parseInt(stdout, 10) / 1_024;
  if (megabytes > mostMegabytes) throw new Error(`${megabytes.toFixed(1)} MB, at most ${mostMegabytes}`);
  return `${megabytes.toFixed(1)} MB of ${mostMegabytes}, ${places.length} packages, no install script`;
}
