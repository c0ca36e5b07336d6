import type { WalletKind } from "@creditgate/core";
import type { Random } from "./random.ts";

/** The six amounts of a wallet. */
export const fields = [
  "available",
  "pending",
  "overage_used",
  "overage_limit",
  "postpaid_used",
  "postpaid_limit",
] as const;

export type Field = (typeof fields)[number];

/** Names that are an object's own business in JavaScript and must be ordinary ones here. */
export const uncannyNames = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "0",
] as const;

/** A balance answer that is being written: values are JSON text, objects are lists of members. */
export interface Draft {
  readonly kind: WalletKind;
  readonly currency: string;
  readonly wallet: Members;
  /** The key of `balances` under which the wallet stands. */
  key: string;
  /** The other wallets. */
  readonly balances: Members;
  /** What stands beside `balances`. */
  readonly body: Members;
  /** JSON text instead of the wallet, of `balances` or of the whole. */
  instead: { wallet?: string; balances?: string; body?: string };
  /** What JSON cannot say, done to the wallet once the text is parsed. */
  afterwards?: { readonly note: string; change(wallet: Record<string, unknown>): void };
}

export type Members = Map<string, string>;

/** A balance answer as the service might well give it. */
export function validDraft(random: Random): Draft {
  const kind = random.pick(["prepaid", "postpaid"] as const);
  const wallet: Members = new Map(fields.map((field) => [field, "0"]));
  for (const field of fieldsOf(kind)) wallet.set(field, amount(random));
  if (kind === "prepaid" && random.next() < 0.1) wallet.set("available", `-${amount(random)}`);
  if (random.next() < 0.3) wallet.set("pending", amount(random));
  const currency = random.next() < 0.7 ? "ai_credits" : random.pick(uncannyNames);
  const balances: Members = new Map();
  // A rich neighbour must never pay.
  if (random.next() < 0.3) balances.set(random.pick(["voice_credits", ...uncannyNames]), richWallet(kind));
  return { kind, currency, wallet, key: currency, balances, body: new Map(), instead: {} };
}

/** The fields that a wallet of this kind uses. */
export function fieldsOf(kind: WalletKind): readonly Field[] {
  return kind === "prepaid"
    ? ["available", "overage_used", "overage_limit"]
    : ["postpaid_used", "postpaid_limit"];
}

/** A wallet without a worry, as JSON text. */
export function richWallet(kind: WalletKind): string {
  const members = new Map<string, string>(fields.map((field) => [field, "0"]));
  members.set(kind === "prepaid" ? "available" : "postpaid_limit", "1000000");
  return objectText(members);
}

/** An amount of 0 or more, as JSON text, in the ways in which a number can be written. */
export function amount(random: Random): string {
  const whole = random.integer(1_000);
  const decimals = random.pick([1, 2, 6, 6, 7, 9]);
  const fraction = String(random.integer(10 ** decimals)).padStart(decimals, "0");
  return random.pick([
    "0",
    "0",
    `${whole}`,
    `${whole}.${fraction}`,
    `${whole}.${fraction}`,
    `${whole}.50e-2`,
    `${whole}E3`,
  ]);
}

/** The answer's body, and its text where that says all. */
export function finished(draft: Draft): { readonly text: string; readonly body: unknown } {
  const { key, instead, afterwards } = draft;
  const wallet = instead.wallet ?? objectText(draft.wallet);
  const balances = instead.balances ?? objectText(new Map([...draft.balances, [key, wallet]]));
  const text = instead.body ?? objectText(new Map([...draft.body, ["balances", balances]]));
  const body = parsed(text);
  if (afterwards === undefined) return { text, body };
  const wallets = (body as { balances: Record<string, Record<string, unknown>> }).balances;
  afterwards.change(wallets[key] ?? {});
  return { text: `${text} with ${afterwards.note}`, body };
}

/** An object, as JSON text. */
export function objectText(members: ReadonlyMap<string, string>): string {
  return `{${Array.from(members, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}

/** As the client does: what is not JSON is `undefined`. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
