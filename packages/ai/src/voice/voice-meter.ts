import {
  type Completion,
  microminutesOf,
  microsecondsOf,
  minutesOf,
  type Speech,
  type Transcription,
  type VoiceOrigin,
  type VoicePart,
} from "./voice-usage.ts";

/** The order in which the API takes parts. */
const kinds = ["stt", "llm", "tts"] as const;

type Kind = (typeof kinds)[number];

/** Whole numbers: microseconds; tokens read, written and cached; characters. */
type Counts = readonly number[];

/** All that one origin did of one kind. */
interface Tally {
  readonly kind: Kind;
  readonly origin: VoiceOrigin;
  counts: Counts;
  /** As much of it as has been taken for a post. */
  taken: Counts;
}

/** Adds up what a call uses, by kind, provider, model and plan. */
export class VoiceMeter {
  readonly #tallies = new Map<string, Tally>();

  stt({ seconds, ...origin }: Transcription): void {
    this.#add("stt", origin, [microsecondsOf(seconds)]);
  }

  llm({ inputTokens, outputTokens, cachedInputTokens = 0, ...origin }: Completion): void {
    this.#add("llm", origin, [inputTokens, outputTokens, Math.min(inputTokens, cachedInputTokens)]);
  }

  tts({ characters, ...origin }: Speech): void {
    this.#add("tts", origin, [characters]);
  }

  /** All of it. */
  get parts(): readonly VoicePart[] {
    return this.#inOrder().map((tally) => partOf(tally, countsIn(tally.kind, tally.counts)));
  }

  /** What has been added since this was called last. */
  take(): readonly VoicePart[] {
    const parts: VoicePart[] = [];
    for (const tally of this.#inOrder()) {
      const taken = countsIn(tally.kind, tally.taken);
      // The difference of the posted totals, so that rounding adds nothing.
      const rest = countsIn(tally.kind, tally.counts).map((count, at) => count - (taken[at] ?? 0));
      tally.taken = tally.counts;
      if (rest.some((count) => count > 0)) parts.push(partOf(tally, rest));
    }
    return parts;
  }

  #add(kind: Kind, { provider, model, plan }: VoiceOrigin, counts: Counts): void {
    const key = JSON.stringify([kind, provider, model, plan]);
    const known = this.#tallies.get(key);
    const origin = {
      ...(provider !== undefined && { provider }),
      ...(model !== undefined && { model }),
      ...(plan !== undefined && { plan }),
    };
    const tally = known ?? { kind, origin, counts: [], taken: [] };
    tally.counts = counts.map((count, at) => count + (tally.counts[at] ?? 0));
    this.#tallies.set(key, tally);
  }

  #inOrder(): readonly Tally[] {
    const all = [...this.#tallies.values()];
    return kinds.flatMap((kind) => all.filter((tally) => tally.kind === kind));
  }
}

/** The counts in the units that are posted. */
function countsIn(kind: Kind, counts: Counts): Counts {
  return kind === "stt" ? counts.map(microminutesOf) : counts;
}

function partOf({ kind, origin }: Tally, [first = 0, second = 0, third = 0]: Counts): VoicePart {
  switch (kind) {
    case "stt":
      return { kind, ...origin, audioMinutes: minutesOf(first) };
    case "llm":
      return { kind, ...origin, promptTokens: first, completionTokens: second, cachedTokens: third };
    case "tts":
      return { kind, ...origin, characters: first };
  }
}
