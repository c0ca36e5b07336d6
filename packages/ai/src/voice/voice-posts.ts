import type { Clock } from "@creditgate/core";
import {
  type Ambiguous,
  deliveryPauseMs,
  type Failed,
  KnownService,
  mayRepeat,
  outcomeOf,
} from "@creditgate/core/adapter";
import { fieldsOf } from "../usage/fields.ts";
import { send, type VoiceClient, type VoicePost } from "./voice-post.ts";

/** A post that the service has not acknowledged, and that is sent no more. */
export interface UnpostedVoicePost {
  readonly post: VoicePost;
  /** It may have arrived all the same: repeated under its key it counts once, where the service honours keys. */
  readonly mayHaveArrived: boolean;
  readonly error: unknown;
}

/** What a post has come to: `undefined` where the service has it. */
export type PostEnd = UnpostedVoicePost | undefined;

interface PostsOptions {
  readonly client: VoiceClient;
  readonly clock: Clock;
  readonly random: () => number;
  readonly ambiguous: Ambiguous;
  /** The posts that come next, where none wait. */
  next(): readonly VoicePost[];
}

interface Waiting {
  readonly post: VoicePost;
  end(end: PostEnd): void;
}

/** What the answers to posts have taught, by client. */
const services = new WeakMap<VoiceClient, KnownService>();

/**
 * Sends the posts of a call, each when the one before it has been answered, so that they arrive in their order whatever the network does.
 * One that fails is sent again under its key, ever more slowly, by the rules of usage reports (core's `outcome.ts`). Never rejects.
 */
export class VoicePosts {
  /** In their order. */
  readonly unposted: UnpostedVoicePost[] = [];
  readonly #options: PostsOptions;
  readonly #service: KnownService;
  readonly #stopping = new AbortController();
  #waiting: Waiting[] = [];
  #isSending = false;
  #idle: (() => void)[] = [];

  constructor(options: PostsOptions) {
    this.#options = options;
    const known = services.get(options.client);
    this.#service = known ?? new KnownService("voice");
    services.set(options.client, this.#service);
  }

  /** Resolves when the service has it, or it is sent no more. */
  add(post: VoicePost): Promise<PostEnd> {
    const ended = new Promise<PostEnd>((end) => this.#waiting.push({ post, end }));
    this.wake();
    return ended;
  }

  /** There is something to post. */
  wake(): void {
    if (!this.#isSending) void this.#sendAll();
  }

  /** Resolves when nothing is left to post. */
  async idle(): Promise<void> {
    if (this.#isSending) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Gives up what the service does not have. */
  stop(): void {
    this.#stopping.abort();
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    for (let next = this.#shift(); next !== undefined; next = this.#shift()) {
      const end = await this.#deliver(next.post);
      if (end !== undefined) this.unposted.push(end);
      next.end(end);
    }
    this.#isSending = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #shift(): Waiting | undefined {
    if (this.#waiting.length === 0) {
      this.#waiting = this.#options.next().map((post) => ({ post, end: () => {} }));
    }
    return this.#waiting.shift();
  }

  async #deliver(post: VoicePost): Promise<PostEnd> {
    let mayHaveArrived = false;
    let error: unknown = new Error("it was given up before it was sent");
    for (let failures = 1; !this.#isStopped; failures++) {
      const failed = await this.#attempt(post);
      // It was opened by an attempt before this one.
      const isOpen = post.kind === "session" && mayHaveArrived && failed?.outcome === "undeliverable";
      if (failed === undefined || isOpen) return undefined;
      error = failed.error;
      mayHaveArrived ||= failed.outcome === "ambiguous";
      if (failed.outcome === "undeliverable" || (mayHaveArrived && !this.#mayRepeat(post))) break;
      await this.#pause(Math.max(failed.pauseMs, deliveryPauseMs(failures, this.#options.random)));
    }
    return { post, mayHaveArrived, error };
  }

  /** Sends it once; `undefined` where the service has it. */
  async #attempt(post: VoicePost): Promise<Failed | undefined> {
    const service = this.#service;
    try {
      const receipt = await send(this.#options.client, post, this.#stopping.signal);
      if (receipt?.echoed === true) service.learnKeys();
      // A service that has echoed a key proves by the echo that it answered itself.
      if (receipt?.echoed !== false || !service.honoursKeys) return undefined;
      return outcomeOf(
        new Error("something answered without the Idempotency-Key; check the baseUrl"),
        service,
      );
    } catch (error) {
      service.learnFromError(error);
      const failed = outcomeOf(error, service);
      return isRefused(error) ? { ...failed, outcome: "undeliverable" } : failed;
    }
  }

  /** Whether to send again what may have arrived. To open a session twice bills nothing. */
  #mayRepeat({ kind }: VoicePost): boolean {
    if (kind === "customer" || kind === "session") return true;
    return mayRepeat(this.#options.ambiguous, this.#service.honoursKeys);
  }

  #pause(delayMs: number): Promise<void> {
    const { signal } = this.#stopping;
    return new Promise((resolve) => {
      const over = () => {
        cancel();
        signal.removeEventListener("abort", over);
        resolve();
      };
      const cancel = this.#options.clock.schedule(delayMs, over);
      if (signal.aborted) over();
      else signal.addEventListener("abort", over);
    });
  }
}

/** The service has answered that the session is not in the state that the post needs. */
function isRefused(error: unknown): boolean {
  const { status, problem } = fieldsOf(error) ?? {};
  const { code } = fieldsOf(problem) ?? {};
  return (
    (status === 409 && problem !== undefined) || (typeof code === "string" && code.startsWith("session_"))
  );
}
