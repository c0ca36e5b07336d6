import { setTimeout as passed } from "node:timers/promises";
import {
  createVoiceCall,
  type VoiceBill,
  type VoiceCall,
  type VoiceCallOptions,
  type VoiceDecision,
} from "@creditgate/ai/voice";
import type { Clock } from "@creditgate/core";
import type { RecordedTurn } from "./recordings.ts";
import { lastWords } from "./script.ts";

/** How much faster the call goes than its recordings. */
export const speed = 20;

/** The time of the call, which its gate goes by too. */
export const clock: Clock = {
  now: () => performance.now() * speed,
  schedule(delayMs, run) {
    const timer = setTimeout(run, delayMs / speed);
    return () => clearTimeout(timer);
  },
};

const ear = { provider: "deepgram", model: "nova-3" };
const mind = { provider: "openai", model: "gpt-5" };
const mouth = { provider: "elevenlabs", model: "flash" };

/** What is said, and by whom, as it is said. */
export type Listener = (speaker: "caller" | "reception", words: string) => void;

type Line = Pick<VoiceCallOptions, "client" | "gate" | "prices" | "customer">;

/** Takes the call of a customer: what was billed, or why it was not taken. */
export async function takeCall(
  line: Line,
  turns: readonly RecordedTurn[],
  listen: Listener,
): Promise<VoiceBill | Extract<VoiceDecision, { allowed: false }>> {
  const decision = await createVoiceCall({
    ...line,
    agentId: "reception",
    indicator: "call",
    clock,
    // Some ten seconds of talk to go on with; an answer that has begun, and the last words.
    hold: { ahead: 2, reserve: 1.5 },
    graceMs: 8_000,
    async onExhausted({ call }) {
      listen("reception", lastWords);
      call.tts({ ...mouth, characters: lastWords.length });
      await passed(3_500 / speed);
    },
  });
  if (!decision.allowed) return decision;
  const { call } = decision;
  await call.run(() => converse(call, turns, listen));
  return call.ended;
}

async function converse(call: VoiceCall, turns: readonly RecordedTurn[], listen: Listener): Promise<void> {
  const { signal } = call;
  /** The last words are being said: no one else talks until the call ends. */
  const isOver = () => call.state === "ending";
  let talked = 0;
  const speak = async (seconds: number) => {
    talked += seconds;
    await passed((seconds * 1_000) / speed, undefined, { signal });
    if (isOver()) await new Promise((_, hangUp) => signal.addEventListener("abort", hangUp));
  };
  let read = 0;
  for (const { question, answer, askedSeconds, answeredSeconds } of turns) {
    listen("caller", question);
    call.stt({ ...ear, seconds: askedSeconds });
    await speak(askedSeconds);
    // Stands in for a model, which reads the whole conversation each time: what it has read before comes from its cache.
    const [asked, said] = [wordsIn(question), wordsIn(answer)];
    call.llm({ ...mind, inputTokens: read + asked, cachedInputTokens: read, outputTokens: said });
    read += asked + said;
    listen("reception", answer);
    call.tts({ ...mouth, characters: answer.length });
    await speak(answeredSeconds);
  }
  // As long as its recordings are.
  void call.end({ seconds: talked });
}

function wordsIn(text: string): number {
  return text.split(" ").length;
}
