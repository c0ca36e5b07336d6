import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@creditgate/client";
import { bounded } from "./bounded.ts";
import { ServerProcess } from "./server-process.ts";

/** Usage is debited this long after the control plane has accepted it. */
const settlementDelayMs = 500;

/**
 * What the gate may rely on: within this time everything acknowledged has been debited. It is well above the delay
 * since settling takes a moment too, more so on a busy machine. Below the truth the gate would let too much in; above
 * it, it is only slow to hear that it may let in more.
 */
export const settlementLagMs = 3_000;

/** The control plane and the chat, each in a process of its own, with a database and an organisation of their own. */
export interface Stage {
  readonly chatUrl: string;
  readonly controlPlaneUrl: string;
  readonly apiKey: string;
  readonly database: string;
  readonly client: Client;
  /** Aborts, and says why, when one of the two has ended although nobody asked it to. */
  readonly broken: AbortSignal;
}

/** Puts the stage up, and takes it down again: `close` always works, also half way through `open`. */
export class StageCrew {
  #folder: string | undefined;
  #controlPlane: ServerProcess | undefined;
  #chat: ServerProcess | undefined;
  #closing: Promise<void> | undefined;
  readonly #broken = new AbortController();

  async open(signal: AbortSignal): Promise<Stage> {
    const folder = await mkdtemp(path.join(tmpdir(), "creditgate-demo-"));
    this.#folder = folder;
    // Root lends PostgreSQL to another account, which has to pass through here.
    await chmod(folder, 0o711);
    const id = randomBytes(6).toString("hex");
    const apiKey = `cg_demo_${id}`;
    const fixture = path.join(folder, "fixture.json");
    await writeFile(fixture, await fixtureFor({ name: `Demo ${id}`, apiKey }), { mode: 0o600 });
    signal.throwIfAborted();

    const controlPlane = new ServerProcess({
      name: "the control plane",
      script: fileURLToPath(
        new URL("../bin/creditgate.js", import.meta.resolve("@creditgate/control-plane")),
      ),
      args: [
        ...["serve", "--port", "0", "--data", path.join(folder, "data")],
        ...["--fixture", fixture, "--settlement-delay", `${settlementDelayMs}`],
      ],
      environment: process.env,
    });
    this.#controlPlane = controlPlane;
    const controlPlaneUrl = await startOf(controlPlane, "the start of the control plane", signal);

    const chat = new ServerProcess({
      name: "the chat",
      script: fileURLToPath(new URL("../main.js", import.meta.url)),
      environment: {
        ...process.env,
        // The demo counts words, and a word is a token of the stand-in only.
        OPENAI_BASE_URL: "",
        CREDITGATE_BASE_URL: controlPlaneUrl,
        CREDITGATE_API_KEY: apiKey,
        SETTLEMENT_LAG_MS: `${settlementLagMs}`,
        PORT: "0",
      },
    });
    this.#chat = chat;
    const chatUrl = await startOf(chat, "the start of the chat", signal);

    void Promise.race([controlPlane.ended, chat.ended]).then((how) => {
      if (this.#closing === undefined) this.#broken.abort(new Error(how));
    });
    return {
      chatUrl,
      controlPlaneUrl,
      apiKey,
      database: process.env.DATABASE_URL ? "PostgreSQL at DATABASE_URL" : "PostgreSQL in a temporary folder",
      client: createClient({ baseUrl: controlPlaneUrl, apiKey }),
      broken: this.#broken.signal,
    };
  }

  /** The chat first: it delivers its last usage to the control plane. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.#chat?.stop();
      await this.#controlPlane?.stop();
      await this.#sweep();
    })();
    return this.#closing;
  }

  /** For a reader who does not want to wait: the control plane takes a second signal as "now". */
  async abandon(): Promise<void> {
    this.#chat?.signal("SIGKILL");
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

/** An organisation of this run's own: a database that has seen other demos knows nothing of their wallets here. */
async function fixtureFor(organization: { name: string; apiKey: string }): Promise<string> {
  const fixture: object = JSON.parse(await readFile(new URL("../../fixture.json", import.meta.url), "utf8"));
  return JSON.stringify({ ...fixture, organization });
}

function startOf(server: ServerProcess, what: string, signal: AbortSignal): Promise<string> {
  return bounded(server.url, { what, withinMs: 60_000, signal });
}
