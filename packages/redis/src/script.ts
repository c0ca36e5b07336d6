import type { ScriptRunner } from "./redis-client.ts";

/** A Lua script, sent once to each server and called by its hash from then on. */
export class Script {
  readonly #text: string;
  #sha: Promise<string> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Resolves with the JSON that the script returns, parsed. */
  async run(redis: ScriptRunner, keys: string[], args: string[]): Promise<unknown> {
    this.#sha ??= sha1(this.#text);
    const answer = await redis.evalSha(await this.#sha, keys, args).catch((error: unknown) => {
      if (!String(error).includes("NOSCRIPT")) throw error;
      return redis.eval(this.#text, keys, args);
    });
    // The client of Upstash has parsed it already.
    return typeof answer === "string" ? JSON.parse(answer) : answer;
  }
}

async function sha1(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
