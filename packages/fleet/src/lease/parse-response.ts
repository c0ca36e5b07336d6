import type { StoredCapacity, SyncResponse } from "./shared-store.ts";

const problems = ["customer_unknown", "wallet_missing", "wallet_mismatch", "upstream_invalid"] as const;

/**
 * Reads an answer as a store gives it, from JSON: whole numbers may be decimal text, which keeps every digit, and what is absent is
 * `null`, `false` or 0. Throws a `TypeError` for anything else, so that a broken answer grants nothing.
 */
export function parseResponse(value: unknown): SyncResponse {
  if (typeof value !== "object" || value === null) throw new TypeError("the store's answer is no object");
  const fields = value as Readonly<Record<string, unknown>>;
  const { status, epoch, refresh = null } = fields;
  if (status !== "ok" && status !== "repeated" && status !== "register") throw wrong("status", status);
  if (typeof epoch !== "string") throw wrong("epoch", epoch);
  if (refresh !== null && refresh !== "here" && refresh !== "wait" && refresh !== "go")
    throw wrong("refresh", refresh);
  const integer = (name: keyof SyncResponse) => integerOf(name, fields[name]);
  return {
    status,
    now: integer("now"),
    epoch,
    born: integer("born"),
    reservation: integer("reservation"),
    calm: fields.calm === true,
    denied: fields.denied === true,
    waiting: integerOf("waiting", fields.waiting ?? 0),
    recalls: integer("recalls"),
    refresh,
    stamp: fields.stamp == null ? null : integer("stamp"),
    prepaid: capacityOf("prepaid", fields.prepaid),
    postpaid: capacityOf("postpaid", fields.postpaid),
    extended: fields.extended === true,
    out: integer("out"),
    used: integer("used"),
    shownPrepaid: integer("shownPrepaid"),
    shownPostpaid: integer("shownPostpaid"),
    recent: integerOf("recent", fields.recent ?? 0),
  };
}

function integerOf(name: string, value: unknown): number {
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  if (Number.isSafeInteger(number)) return Number(number);
  throw wrong(name, value);
}

function capacityOf(name: string, value: unknown): StoredCapacity | null {
  if (value == null) return null;
  return problems.find((problem) => problem === value) ?? integerOf(name, value);
}

function wrong(name: string, value: unknown): TypeError {
  return new TypeError(`the store's answer, ${name}: ${String(value)}`);
}
