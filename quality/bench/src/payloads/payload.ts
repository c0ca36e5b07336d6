import type { WalletKind } from "@creditgate/core";
import { finished, validDraft } from "./draft.ts";
import { mutations } from "./mutations.ts";
import { type Random, randomOf } from "./random.ts";
import { type Expectation, expected, type Question } from "./reference.ts";

/** One balance answer, what is asked of a gate that reads it, and what must come of it. */
export interface Payload {
  readonly index: number;
  /** `undefined` for a valid answer. */
  readonly mutation: string | undefined;
  /** The body, for people. */
  readonly text: string;
  readonly customerId: string;
  readonly question: Question;
  readonly expectation: Expectation;
}

const names = Object.keys(mutations);
/** A micro-credit, and the most whole credits that a gate can hold. */
const [least, most] = [1e-6, Math.floor(Number.MAX_SAFE_INTEGER / 1e6)];

/** The `index`-th payload of a seed. Every other one is one mutation away from valid. */
export function payloadOf(seed: number, index: number): Payload {
  const random = randomOf(seed, index);
  const draft = validDraft(random);
  const mutation = index % 2 === 0 ? undefined : random.pick(names);
  if (mutation !== undefined) mutations[mutation]?.(draft, random);
  const { text, body } = finished(draft);
  const { kind, currency } = draft;
  const question = { body, kind, currency, hold: holdFor(random, body, kind, currency) };
  const customerId = random.pick(["alice", "alice", "__proto__", "constructor", "0"]);
  return { index, mutation, text, customerId, question, expectation: expected(question) };
}

/** All that the wallet can pay, or a micro-credit more, or what someone might well hold. */
function holdFor(random: Random, body: unknown, kind: WalletKind, currency: string): number {
  const usual = random.pick([1e-7, least, 0.3, 1, 2.5, 2.01, 100, most]);
  const { capacity } = expected({ body, kind, currency, hold: least });
  if (typeof capacity !== "bigint" || random.next() < 0.3) return usual;
  const edge = (Number(capacity) + random.integer(2)) / 1e6;
  return edge > 0 && edge <= most ? edge : usual;
}
