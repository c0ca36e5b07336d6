import type { VoicePart } from "./voice-usage.ts";

/** The customer of a call (API 2.2), who is created where the service does not know them. */
export interface VoiceCustomer {
  readonly externalId: string;
  readonly name: string;
  readonly email?: string | undefined;
  /** Two capital letters. */
  readonly country?: string | undefined;
  readonly city?: string | undefined;
}

interface InSession {
  readonly sessionId: string;
}

type PartBody<Kind> = InSession & Omit<Extract<VoicePart, { readonly kind: Kind }>, "kind">;

/** What is posted for a call (API 4.3, 4.6), by kind and in the order of the API. */
interface Bodies {
  readonly customer: VoiceCustomer;
  readonly session: InSession & { readonly agentId: string; readonly customerId: string };
  readonly stt: PartBody<"stt">;
  readonly llm: PartBody<"llm">;
  readonly tts: PartBody<"tts">;
  readonly indicator: InSession & { readonly indicator: string; readonly totalDuration: number };
}

/** One post of a call: sent again under its key it counts once. */
export type VoicePost = {
  readonly [Kind in keyof Bodies]: {
    readonly kind: Kind;
    readonly idempotencyKey: string;
    readonly body: Bodies[Kind];
  };
}[keyof Bodies];

/** How a post is sent. */
export interface VoicePostOptions {
  readonly idempotencyKey: string;
  readonly retries: 0;
  readonly signal: AbortSignal;
}

/** What is read of the answer to a post. */
export interface VoiceReceipt {
  /** The service echoed the key, so it honours keys. */
  readonly echoed: boolean;
}

type Sends<Kind extends keyof Bodies, Answer> = (
  body: Bodies[Kind],
  options: VoicePostOptions,
) => Promise<Answer>;

/** What is used of a client of the service, as `createClient()` makes it. */
export interface VoiceClient {
  readonly customers: { readonly createOrGet: Sends<"customer", unknown> };
  readonly voice: {
    readonly [Kind in Exclude<keyof Bodies, "customer">]: Sends<Kind, VoiceReceipt>;
  };
}

/** Sends it once. `undefined` if the answer does not show whether keys are honoured. */
export async function send(
  { customers, voice }: VoiceClient,
  { kind, body, idempotencyKey }: VoicePost,
  signal: AbortSignal,
): Promise<VoiceReceipt | undefined> {
  const options = { idempotencyKey, retries: 0, signal } as const;
  switch (kind) {
    case "customer":
      await customers.createOrGet(body, options);
      return undefined;
    case "session":
      return voice.session(body, options);
    case "stt":
      return voice.stt(body, options);
    case "llm":
      return voice.llm(body, options);
    case "tts":
      return voice.tts(body, options);
    case "indicator":
      return voice.indicator(body, options);
  }
}

/** The post of a part, under a key of its own. */
export function postOf(part: VoicePart, sessionId: string): VoicePost {
  const idempotencyKey = crypto.randomUUID();
  switch (part.kind) {
    case "stt": {
      const { kind, ...body } = part;
      return { kind, idempotencyKey, body: { sessionId, ...body } };
    }
    case "llm": {
      const { kind, ...body } = part;
      return { kind, idempotencyKey, body: { sessionId, ...body } };
    }
    case "tts": {
      const { kind, ...body } = part;
      return { kind, idempotencyKey, body: { sessionId, ...body } };
    }
  }
}
