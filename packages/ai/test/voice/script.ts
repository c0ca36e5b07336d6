import type { Completion, Speech, Transcription, VoiceCall } from "@creditgate/ai/voice";
import type { Random } from "@creditgate/core/testing";

/** One exchange of a call: what its caller says, what the model is asked, what the caller is told. */
export interface Turn {
  readonly heard: Transcription;
  readonly asked: Completion;
  readonly emitted: Speech;
}

export const turn: Turn = {
  heard: { seconds: 4.2, provider: "deepgram", model: "nova" },
  asked: { inputTokens: 300, cachedInputTokens: 100, outputTokens: 80, provider: "openai", model: "gpt-5" },
  emitted: { characters: 120, provider: "elevenlabs", model: "flash" },
};

/** A turn of any length, by any provider. */
export function randomTurn(random: Random): Turn {
  const provider = random.pick(["openai", "deepgram", "other"]);
  const model = random.pick(["gpt-5", "nova", "small"]);
  const plan = random.pick([undefined, "pro", "free"]);
  const inputTokens = random.integer(0, 400);
  return {
    heard: { seconds: random.integer(0, 9_999_999) / 1e6, provider, model, plan },
    asked: {
      inputTokens,
      cachedInputTokens: random.integer(0, inputTokens),
      outputTokens: random.integer(0, 100),
      provider,
      model,
      plan,
    },
    emitted: { characters: random.integer(0, 300), provider, model, plan },
  };
}

/** What a script has used, and what that costs by the prices of `phone.ts`, by arithmetic of its own. */
export class Book {
  /** Micro-credits of what is no time. */
  #whole = 1_000_000n;
  /** Microseconds heard, by rate in micro-credits per minute and whose they are. */
  readonly #heard = new Map<string, { readonly rate: bigint; microseconds: bigint }>();
  seconds = 0;

  /** Does in the call what the turn says, and writes it down. */
  play(call: VoiceCall, { heard, asked, emitted }: Turn): void {
    call.stt(heard);
    this.hear(heard);
    call.llm(asked);
    this.ask(asked);
    call.tts(emitted);
    this.tell(emitted);
  }

  hear(heard: Transcription): void {
    const { seconds, ...origin } = heard;
    const key = JSON.stringify(origin);
    const rate = origin.provider === "deepgram" && origin.model === "nova" ? 200_000n : 300_000n;
    const entry = this.#heard.get(key) ?? { rate, microseconds: 0n };
    entry.microseconds += BigInt(Math.round(seconds * 1e6));
    this.#heard.set(key, entry);
  }

  ask({ inputTokens, cachedInputTokens = 0, outputTokens, provider, model, plan }: Completion): void {
    const isPro = provider === "openai" && model === "gpt-5" && plan === "pro";
    this.#whole += (isPro ? 10_000n : 2_000n) * BigInt(inputTokens - cachedInputTokens);
    this.#whole += 500n * BigInt(cachedInputTokens) + 4_000n * BigInt(outputTokens);
  }

  tell({ characters }: Speech): void {
    this.#whole += 100n * BigInt(characters);
  }

  /** What it costs in all, in micro-credits. */
  get total(): number {
    const perMinute = (rate: bigint, microseconds: bigint) => rate * up(microseconds, 60n);
    let timed = perMinute(6_000_000n, BigInt(Math.round(this.seconds * 1e6)));
    for (const { rate, microseconds } of this.#heard.values()) timed += perMinute(rate, microseconds);
    return Number(this.#whole + up(timed, 1_000_000n));
  }
}

function up(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
