import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@creditgate/client";
import { bounded } from "./bounded.ts";
import type { DemoFleet } from "./demo-fleet.ts";
import { Gateway } from "./gateway.ts";
import { ServerProcess } from "./server-process.ts";
import { openShortLink, type ShortLink } from "./short-link.ts";
import { creditgateSide, type Side, sides } from "./side.ts";
import type { Visitor } from "./visitor.ts";

/** Usage is debited this long after the control plane has accepted it. */
const settlementDelayMs = 500;

/**
 * What the gate may rely on: within this time everything acknowledged has been debited. It is well above the delay
 * since settling takes a moment too, more so on a busy machine. Below the truth the gate would let too much in; above
 * it, it is only slow to hear that it may let in more.
 */
export const settlementLagMs = 3_000;

/** A control plane, a chat on each side of the comparison, and the way between them: with a database of their own. */
export interface Setup {
  readonly chats: ReadonlyMap<Side, Chat>;
  /** How many our side has. */
  readonly processes: number;
  readonly controlPlaneUrl: string;
  readonly apiKey: string;
  readonly client: Client;
  /** What the chats reach the control plane through. */
  readonly gateway: Gateway;
  /** The link that creates the dashboard's first account; `undefined` if the dashboard is not built. */
  readonly dashboardUrl: string | undefined;
  /** Aborts, with the reason, if a process exits by itself. */
  readonly broken: AbortSignal;
}

/** A chat in a process of its own, or in several. */
export interface Chat {
  /** Of each process. */
  readonly urls: readonly string[];
  /** Resolves when a crash cannot lose any more what the customer has used in that number of answers. */
  written(visitor: Visitor, answers: number): Promise<void>;
  /** `kill -9` for the process at this address. */
  kill(url: string): Promise<void>;
  /** Starts it again, at the same address. */
  restart(url: string): Promise<void>;
}

/** Starts all processes, and stops them: `close` always works, even half way through `open`. */
export class SetupRunner {
  #folder: string | undefined;
  #controlPlane: ServerProcess | undefined;
  /** By the names of their processes. */
  readonly #chats = new Map<string, ServerProcess>();
  #fleet: DemoFleet | undefined;
  #gateway: Gateway | undefined;
  #link: ShortLink | undefined;
  #closing: Promise<void> | undefined;
  readonly #broken = new AbortController();

  async open(signal: AbortSignal, processes: number, onStart: (what: string) => void): Promise<Setup> {
    const folder = await mkdtemp(path.join(tmpdir(), "creditgate-demo-"));
    this.#folder = folder;
    // Root lends PostgreSQL to another account, which has to pass through here.
    await chmod(folder, 0o711);
    const id = randomBytes(6).toString("hex");
    const apiKey = `cg_demo_${id}`;
    const fixture = path.join(folder, "fixture.json");
    await writeFile(fixture, await fixtureFor({ name: `Demo ${id}`, apiKey }), { mode: 0o600 });
    signal.throwIfAborted();
    if (processes > 1) {
      onStart("PostgreSQL starts");
      const { DemoFleet } = await import("./demo-fleet.ts");
      this.#fleet = await DemoFleet.open(folder, id);
    }
    const database = this.#fleet === undefined ? {} : { DATABASE_URL: this.#fleet.databaseUrl };

    onStart("the control plane starts, with a PostgreSQL of its own");
    const controlPlane = new ServerProcess({
      name: "the control plane",
      script: fileURLToPath(
        new URL("../bin/creditgate.js", import.meta.resolve("@creditgate/control-plane")),
      ),
      args: [
        ...["serve", "--port", "0", "--data", path.join(folder, "data")],
        ...["--fixture", fixture, "--settlement-delay", `${settlementDelayMs}`],
      ],
      environment: { ...process.env, ...database },
    });
    this.#controlPlane = controlPlane;
    this.#watch(controlPlane);
    const controlPlaneUrl = await startOf(controlPlane, "the start of the control plane", signal);
    const gateway = new Gateway(controlPlaneUrl);
    this.#gateway = gateway;
    await gateway.open();
    const welcome = controlPlane.printed("first owner (works once, for a day): ");
    const pages = controlPlane.printed("creditgate dashboard on ");
    if (welcome !== undefined && pages !== undefined) this.#link = await openShortLink(welcome);

    const environment = {
      ...process.env,
      // The demo counts words, and a word is a token of the stand-in only.
      OPENAI_API_KEY: "",
      CREDITGATE_BASE_URL: gateway.url,
      CREDITGATE_API_KEY: apiKey,
      SETTLEMENT_LAG_MS: `${settlementLagMs}`,
      OUTBOX_FILE: path.join(folder, "usage.db"),
      PAYMENT_WEBHOOK_SECRET: "",
    };
    onStart("the two chats start");
    const chats = await Promise.all(
      sides.map(async (side) => {
        const count = side === creditgateSide ? processes : 1;
        return [side, await this.#openChat(side, count, environment, signal)] as const;
      }),
    );
    return {
      chats: new Map(chats),
      processes,
      controlPlaneUrl,
      apiKey,
      client: createClient({ baseUrl: controlPlaneUrl, apiKey }),
      gateway,
      dashboardUrl: this.#link?.url,
      broken: this.#broken.signal,
    };
  }

  async #openChat(
    side: Side,
    count: number,
    environment: NodeJS.ProcessEnv,
    signal: AbortSignal,
  ): Promise<Chat> {
    const fleet = count === 1 ? undefined : this.#fleet;
    const start = (name: string, port: string) => {
      const shared = fleet && {
        FLEET_DATABASE_URL: fleet.databaseUrl,
        FLEET_SCHEMA: fleet.schema,
        FLEET_PROCESS: name.replaceAll(" ", "-"),
      };
      const script = fileURLToPath(side.script);
      const chat = new ServerProcess({
        name,
        script,
        environment: { ...environment, ...shared, PORT: port },
      });
      this.#chats.set(name, chat);
      this.#watch(chat);
      return startOf(chat, `the start of ${name}`, signal);
    };
    const nameOf = (number: number) => `the chat ${side.name}${count === 1 ? "" : ` ${number + 1}`}`;
    const names = Array.from({ length: count }, (_, number) => nameOf(number));
    const urls = await Promise.all(names.map((name) => start(name, "0")));
    const at = (url: string) => names[urls.indexOf(url)] ?? nameOf(0);
    return {
      urls,
      written: (visitor, answers) => fleet?.waiting(visitor.id, answers, signal) ?? visitor.workSettled(),
      kill: async (url) => {
        const chat = this.#chats.get(at(url));
        this.#chats.delete(at(url));
        chat?.signal("SIGKILL");
        await chat?.ended;
      },
      restart: async (url) => void (await start(at(url), new URL(url).port)),
    };
  }

  /** Aborts the demo if a process exits that it still needs. */
  #watch(server: ServerProcess): void {
    void server.ended.then((how) => {
      const isNeeded = server === this.#controlPlane || [...this.#chats.values()].includes(server);
      if (isNeeded && this.#closing === undefined) this.#broken.abort(new Error(how));
    });
  }

  /** The chats first: they deliver their last usage to the control plane. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      await Promise.all(Array.from(this.#chats.values(), (chat) => chat.stop()));
      await this.#gateway?.close();
      this.#link?.close();
      await this.#controlPlane?.stop();
      await this.#fleet?.close();
      await this.#sweep();
    })();
    return this.#closing;
  }

  /** For a reader who does not want to wait: the control plane takes a second signal as "now". */
  async abandon(): Promise<void> {
    for (const chat of this.#chats.values()) chat.signal("SIGKILL");
    this.#controlPlane?.signal("SIGTERM");
    await bounded(this.close(), { what: "the end", withinMs: 3_000 }).catch(() => this.#sweep());
  }

  async #sweep(): Promise<void> {
    if (this.#folder === undefined) return;
    await stopLeftPostgres(path.join(this.#folder, "data", "postgres", "postmaster.pid"));
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** A control plane that was killed has left its PostgreSQL running; one that has stopped has stopped it too. */
async function stopLeftPostgres(pidFile: string): Promise<void> {
  const pid = Number.parseInt(await readFile(pidFile, "utf8").catch(() => ""), 10);
  try {
    if (pid > 1) process.kill(pid, "SIGQUIT");
  } catch {
    // It has ended meanwhile.
  }
}

/** An organisation of this run's own, with the customers of the example once for each side. */
async function fixtureFor(organization: { name: string; apiKey: string }): Promise<string> {
  const text = await readFile(new URL("../../fixture.json", import.meta.url), "utf8");
  const fixture = JSON.parse(text) as { readonly customers: readonly { readonly externalId: string }[] };
  const customers = sides.flatMap(({ suffix }) =>
    fixture.customers.map((customer) => ({ ...customer, externalId: `${customer.externalId}${suffix}` })),
  );
  return JSON.stringify({ ...fixture, organization, customers });
}

function startOf(server: ServerProcess, what: string, signal: AbortSignal): Promise<string> {
  return bounded(server.url, { what, withinMs: 60_000, signal });
}
