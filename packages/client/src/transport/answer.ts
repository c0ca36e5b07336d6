import type { Incoming } from "../exchange/exchange.ts";

/** `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sent by a caller that must know how old an answer is, and echoed by an extended service. */
export const requestIdHeader = "creditgate-request-id";

/** Whether the answer was made for this request: the id is echoed, and no cache says how long it kept the answer. */
export function isFresh(requestId: string | undefined, answer: Incoming): boolean {
  if (requestId === undefined || answer.header(requestIdHeader) !== requestId) return false;
  return /^0*$/.test(answer.header("age") ?? "");
}

/** What the service takes in one request at most; `undefined` if its header does not say. */
export function readLimit(answer: Incoming, header: string): number | undefined {
  const value = answer.header(header);
  return value !== undefined && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined;
}

let lastNames: string | undefined;
let lastParts: ReadonlySet<string> | undefined;

/** The parts of a usage that the service takes. They are the same in each answer. */
export function readUsageParts(answer: Incoming): ReadonlySet<string> | undefined {
  const names = answer.header("creditgate-usage-parts");
  if (names !== lastNames) {
    lastParts = names === undefined ? undefined : new Set(names.split(/[\s,]+/));
    lastNames = names;
  }
  return lastParts;
}

let lastText: string | undefined;
let lastDate: number | undefined;

/** When the service answered, in milliseconds since 1970. To parse it costs more than the rest; it changes once a second. */
export function readDate(answer: Incoming): number | undefined {
  const text = answer.header("date");
  if (text !== lastText) {
    lastDate = Date.parse(text ?? "") || undefined;
    lastText = text;
  }
  return lastDate;
}
