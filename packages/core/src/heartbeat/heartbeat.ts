import {
  backOffMs,
  type HeartbeatRequest,
  heartbeatEndpoint,
  isCreditgateError,
  type Transport,
} from "@creditgate/client";
import { asObserver } from "../events/events.ts";
import type { Logger } from "../events/operator-log.ts";
import type { Gate } from "../gate/gate.ts";
import { type Clock, systemClock } from "../values/clock.ts";
import type { DenialCode } from "../values/denial-code.ts";
import { checkFunction, checkIdentifier, checkInteger, checkNames, checkShape } from "../values/option.ts";
import { version } from "../values/version.ts";
import { WaitingReports } from "./waiting-reports.ts";

/** Options of {@link startHeartbeat}. */
export interface HeartbeatOptions {
  /** The way to the service: that of the gate. Its key needs the scope `usage`. */
  readonly client: Pick<Transport, "send">;
  /** What the application is called, at most 100 bytes; gates of one name stand together. */
  readonly name: string;
  /** What it runs in, such as `Express`; shown beside the name. @default "" */
  readonly platform?: string;
  /** How often it speaks, from 1_000 to 3_600_000 milliseconds. @default 5_000 */
  readonly everyMs?: number;
  /** Logs one line if the service has no heartbeats, or refuses them. `false` logs nothing. @default console */
  readonly logger?: Logger | false;
  /** Time, for tests. @default the monotonic clock of the machine */
  readonly clock?: Clock;
  /** Chance, for tests: a number from 0 up to 1. @default Math.random */
  readonly random?: () => number;
}

/** The heartbeat of a gate. */
export interface Heartbeat {
  /** Says so once more, and then nothing. Never rejects. */
  stop(): Promise<void>;
}

const optionNames: Readonly<Record<keyof HeartbeatOptions, true>> = {
  client: true,
  name: true,
  platform: true,
  everyMs: true,
  logger: true,
  clock: true,
  random: true,
};

const longestPauseMs = 60_000;
const answerMs = 5_000;

/**
 * Reports the gate's decisions, holds and outbox to our control plane every few seconds, for the dashboard. Sends
 * parked and dead reports again when operators request it there. The gate does not depend on it: failures are
 * retried, ever more slowly. A service without heartbeats is not asked again. Ends when the gate closes; keeps no
 * process alive. Costs an event for each decision. Throws `invalid_option` for an option that is malformed or not
 * known.
 *
 * Names parked and dead reports of this process; those of an earlier process are counted only. Not in the API: our
 * addition.
 */
export function startHeartbeat(gate: Gate, options: HeartbeatOptions): Heartbeat {
  checkNames(options, optionNames);
  checkShape("gate", gate, "a gate, as createGate() makes it", ["status", "retry", "on"]);
  const { client, name, platform = "", everyMs = 5_000, logger = console, clock = systemClock } = options;
  const loop = new HeartbeatLoop(gate, {
    client: checkShape("client", client, "a client, as createClient() makes it", ["send"]),
    name: checkIdentifier("name", name),
    platform: platform === "" ? "" : checkIdentifier("platform", platform),
    everyMs: checkInteger("everyMs", everyMs, 1_000, 3_600_000),
    logger: logger !== false && checkShape("logger", logger, "a logger", ["error"]),
    clock: checkShape("clock", clock, "a Clock", ["now", "schedule"]),
    random: checkFunction("random", options.random ?? Math.random),
  });
  loop.begin();
  return { stop: () => loop.stop() };
}

class HeartbeatLoop {
  readonly #gate: Gate;
  readonly #options: Required<HeartbeatOptions>;
  readonly #gateId = crypto.randomUUID();
  readonly #startedAt = new Date().toISOString();
  readonly #decisions: DecisionCount;
  readonly #waiting: WaitingReports;
  /** Reports that were sent again on request, until the service has received their ids. */
  #retried: readonly string[] = [];
  #failures = 0;
  #cancel = () => {};
  #sending: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(gate: Gate, options: Required<HeartbeatOptions>) {
    this.#gate = gate;
    this.#options = options;
    this.#decisions = new DecisionCount(gate);
    this.#waiting = new WaitingReports(gate);
  }

  begin(): void {
    this.#sending = this.#run();
  }

  async stop(): Promise<void> {
    if (this.#ended) return this.#sending;
    this.#cancel();
    await this.#sending;
    if (!this.#ended) await this.#send();
    this.#end();
  }

  async #run(): Promise<void> {
    await this.#send();
    if (this.#gate.closing) this.#end();
    if (this.#ended) return;
    const { clock, everyMs, random } = this.#options;
    const bounds = { firstMs: everyMs, longestMs: longestPauseMs, random };
    const pauseMs = everyMs + (this.#failures > 0 ? backOffMs(this.#failures, bounds) : 0);
    this.#cancel = clock.schedule(pauseMs, () => this.begin(), { idle: true });
  }

  #end(): void {
    this.#ended = true;
    this.#cancel();
    this.#decisions.end();
    this.#waiting.end();
  }

  async #send(): Promise<void> {
    const retried = this.#retried;
    try {
      const body = await this.#body(retried);
      const answer = await this.#options.client.send(
        heartbeatEndpoint,
        { body },
        { retries: 0, timeoutMs: answerMs },
      );
      this.#failures = 0;
      this.#retried = this.#retried.filter((id) => !retried.includes(id));
      await this.#retry(wantedIn(answer.body));
    } catch (error) {
      this.#failures++;
      // It has no such thing, or this key may not: that does not change while the process lives.
      if (isCreditgateError(error) && [403, 404, 405].includes(error.status ?? 0)) this.#giveUp(error);
    }
  }

  #giveUp(error: Error): void {
    const { logger } = this.#options;
    if (logger !== false) logger.error(`creditgate: heartbeats end, and nothing else does: ${error.message}`);
    this.#end();
  }

  async #body(retried: readonly string[]): Promise<HeartbeatRequest> {
    const { name, platform, everyMs } = this.#options;
    const { allowed, denied, late } = this.#decisions;
    return {
      ...{ gateId: this.#gateId, name, platform, version, startedAt: this.#startedAt, everyMs },
      ...{ allowed, denied: { ...denied }, late },
      ...(await this.#gate.status()),
      waiting: this.#waiting.all,
      retried,
    };
  }

  async #retry(wanted: readonly string[]): Promise<void> {
    const added = wanted.filter((id) => !this.#retried.includes(id));
    if (added.length === 0) return;
    await this.#gate.retry(added);
    // Also those that were not there any more: they are not asked for again.
    this.#retried = [...this.#retried, ...added].slice(-100);
  }
}

/** What the service wants to be sent again; nothing, where its answer is not one. */
function wantedIn(body: unknown): readonly string[] {
  if (typeof body !== "object" || body === null || !("retry" in body) || !Array.isArray(body.retry))
    return [];
  return body.retry.filter((id): id is string => typeof id === "string").slice(0, 100);
}

/** How a gate has decided since it was asked to be counted. */
export class DecisionCount {
  allowed = 0;
  readonly denied: Partial<Record<DenialCode, number>> = {};
  /** Acknowledged reports that the balance did not show in time. */
  late = 0;
  readonly #ends: readonly (() => void)[];

  constructor(gate: Pick<Gate, "on">) {
    this.#ends = [
      gate.on(
        "decision",
        asObserver(({ code }) => {
          if (code === undefined) this.allowed++;
          else this.denied[code] = (this.denied[code] ?? 0) + 1;
        }),
      ),
      gate.on(
        "lag",
        asObserver(() => {
          this.late++;
        }),
      ),
    ];
  }

  end(): void {
    for (const end of this.#ends) end();
  }
}
