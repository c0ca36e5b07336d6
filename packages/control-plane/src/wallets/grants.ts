import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import type { GrantState, GrantsTable } from "../database/tables.ts";
import { type Entry, nameOf, type WalletKey } from "./entry.ts";
import { apply, type Change, debit, type Grant, topUp, type Wallet } from "./wallet.ts";

/** So long after its expiry a grant pays for usage that was received before, and for what else would be overage. */
const lateMs = 24 * 60 * 60 * 1_000;
/** Clocks of replicas differ by less. */
const skewMs = 15_000;

/** Adds the grants that are not over to wallets that are locked, first what is spent first. */
export async function readGrants(
  transaction: DatabaseTransaction,
  wallets: readonly Wallet[],
): Promise<void> {
  if (wallets.length === 0) return;
  const { rows } = await sql<Omit<Grant, "stored"> & WalletKey>`
    select org_id as "orgId", customer_id as "customerId", currency, grant_id as "grantId", source, priority, amount,
           remaining, state, effective_at as "effectiveAt", expires_at as "expiresAt",
           order_id as "orderId", allowance_id as "allowanceId"
      from grants
     where state <> 'ended' and (org_id, customer_id, currency) in (
             select * from unnest(${wallets.map(({ orgId }) => orgId)}::bigint[],
                                  ${wallets.map(({ customerId }) => customerId)}::text[],
                                  ${wallets.map(({ currency }) => currency)}::text[]))`.execute(transaction);
  const byName = new Map(wallets.map((wallet) => [nameOf(wallet), wallet]));
  for (const { orgId, customerId, currency, ...grant } of rows) {
    const { remaining, state, expiresAt } = grant;
    const wallet = byName.get(nameOf({ orgId, customerId, currency }));
    wallet?.grants.push({ ...grant, stored: { remaining, state, expiresAt } });
  }
  for (const wallet of wallets) {
    wallet.grants.sort(byOrder);
    const { remaining } = restOf(wallet);
    // A replica of a version without grants may have settled usage: the wallet is right.
    if (remaining < 0n) take(partsOf(wallet.grants.filter(isActive), -remaining));
  }
}

/** A grant that has not begun. */
export function newGrant(terms: Omit<Grant, "grantId" | "remaining" | "state" | "stored">): Grant {
  return {
    ...terms,
    grantId: randomUUID(),
    remaining: terms.amount,
    state: "scheduled",
    stored: undefined,
  };
}

/** Adds a grant in its place. */
export function addGrant(wallet: Wallet, grant: Grant): void {
  const { grants } = wallet;
  let [low, high] = [0, grants.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = grants[middle];
    if (other !== undefined && byOrder(other, grant) < 0) low = middle + 1;
    else high = middle;
  }
  grants.splice(low, 0, grant);
}

/** Adds a grant that begins now. `undefined` where the wallet would hold too much: it begins as soon as that holds less. */
export function give(wallet: Wallet, grant: Grant): readonly Entry[] | undefined {
  addGrant(wallet, grant);
  const entry = begin(wallet, grant);
  return entry && [entry];
}

/** Writes the grants of wallets that are new or have changed, and when something becomes due of all. */
export async function writeGrants(
  transaction: DatabaseTransaction,
  wallets: readonly Wallet[],
): Promise<void> {
  const granted = wallets.filter(({ hasGrants, grants }) => hasGrants || grants.length > 0);
  if (granted.length === 0) return;
  const changed = granted.flatMap((wallet) =>
    wallet.grants.flatMap((grant) => (hasChanged(grant) ? [{ ...grant, orgId: wallet.orgId }] : [])),
  );
  const made = granted.flatMap((wallet) =>
    wallet.grants.flatMap((grant) => (grant.stored === undefined ? [grantRow(wallet, grant)] : [])),
  );
  // A statement has at most 65,535 parameters.
  for (let first = 0; first < made.length; first += 1_000) {
    const values = made.slice(first, first + 1_000);
    await transaction.insertInto("grants").values(values).execute();
  }
  if (changed.length > 0)
    await sql`
    update grants set remaining = new.remaining, state = new.state, expires_at = new.expires_at
      from unnest(${changed.map(({ orgId }) => orgId)}::bigint[],
                  ${changed.map(({ grantId }) => grantId)}::uuid[],
                  ${changed.map(({ remaining }) => remaining)}::bigint[],
                  ${changed.map(({ state }) => state)}::text[],
                  ${changed.map(({ expiresAt }) => expiresAt)}::timestamptz[])
           as new (org_id, grant_id, remaining, state, expires_at)
     where (grants.org_id, grants.grant_id) = (new.org_id, new.grant_id)`.execute(transaction);
  await sql`
    update wallets set grants_at = new.due_at
      from unnest(${granted.map(({ orgId }) => orgId)}::bigint[],
                  ${granted.map(({ customerId }) => customerId)}::text[],
                  ${granted.map(({ currency }) => currency)}::text[],
                  ${granted.map(nextAt)}::timestamptz[]) as grants (org_id, customer_id, currency, at),
           lateral (select least(grants.at, min(next_at)) as due_at from allowances
                     where (allowances.org_id, allowances.customer_id, allowances.currency)
                         = (grants.org_id, grants.customer_id, grants.currency)) as new
     where (wallets.org_id, wallets.customer_id, wallets.currency) = (grants.org_id, grants.customer_id, grants.currency)
       and wallets.grants_at is distinct from new.due_at`.execute(transaction);
  for (const grant of granted.flatMap(({ grants }) => grants)) {
    const { remaining, state, expiresAt } = grant;
    grant.stored = { remaining, state, expiresAt };
  }
}

function hasChanged({ stored, remaining, state, expiresAt }: Grant): boolean {
  if (stored === undefined) return false;
  return remaining !== stored.remaining || state !== stored.state || expiresAt !== stored.expiresAt;
}

/** A grant as a row. */
export function grantRow({ orgId, customerId, currency }: WalletKey, grant: Grant): Selectable<GrantsTable> {
  const { grantId, source, priority, amount, remaining, state } = grant;
  return {
    ...{ org_id: orgId, grant_id: grantId, customer_id: customerId, currency },
    ...{ source, priority, amount, remaining, state },
    ...{ effective_at: grant.effectiveAt, expires_at: grant.expiresAt },
    ...{ order_id: grant.orderId, allowance_id: grant.allowanceId },
  };
}

/** When something becomes due of a wallet's grants: `"infinity"` where nothing does, `null` where none is left. */
function nextAt({ grants }: Wallet): Date | "infinity" | null {
  const open = grants.filter(({ state }) => state !== "ended");
  const times = open.flatMap((grant) => dueAt(grant) ?? []);
  if (times.length > 0) return new Date(Math.min(...times));
  return open.length > 0 ? "infinity" : null;
}

function dueAt({ state, effectiveAt, expiresAt }: Grant): number | undefined {
  if (state === "scheduled") return effectiveAt.getTime();
  return expiresAt === null ? undefined : expiresAt.getTime() + (state === "expired" ? lateMs + skewMs : 0);
}

/** What a debit of a wallet comes to, in the order of its entries. */
interface Paid {
  /** What expired grants give back, since it pays for usage that came late. */
  readonly returned: readonly Entry[];
  readonly change: Change;
}

/**
 * Debits a wallet, and those of its grants that pay, as they were at an instant: usage goes by when it was received.
 * `undefined`, and nothing is changed, where the wallet could not hold the result.
 */
export function pay(wallet: Wallet, amount: bigint, at: Date): Paid | undefined {
  const parts = wallet.grants.length === 0 ? [] : partsOf(sourcesAt(wallet, at), amount);
  const returned = parts.filter(({ source }) => source.state === "expired");
  const back = returned.reduce((sum, part) => sum + part.amount, 0n);
  const change = debit({ kind: wallet.kind, available: wallet.available + back }, amount);
  if (!apply(wallet, { ...change, available: change.available + back })) return undefined;
  take(parts);
  const entries = returned.map((part) => entryOf(wallet, "expiry", part.source, changeBy(part.amount)));
  return { returned: entries, change };
}

/**
 * What a wallet pays with, first what is spent first. What had expired by then comes after that, and then what had not begun.
 * Sorts nothing: it is done for each usage.
 */
function sourcesAt(wallet: Wallet, at: Date): readonly Source[] {
  const turnOf = ({ effectiveAt, expiresAt }: Source): 0 | 1 | 2 => {
    if (expiresAt !== null && expiresAt.getTime() <= at.getTime()) return 1;
    return effectiveAt.getTime() > at.getTime() ? 2 : 0;
  };
  const held = wallet.grants.filter(({ state }) => state === "active" || state === "expired");
  const rest = restOf(wallet);
  const first = held.filter((grant) => byOrder(grant, rest) < 0);
  const inOrder = [...first, rest, ...held.slice(first.length)];
  const turns = inOrder.map(turnOf);
  if (turns.every((turn) => turn === 0)) return inOrder;
  return [0, 1, 2].flatMap((turn) => inOrder.filter((_, index) => turns[index] === turn));
}

function byOrder(a: Source, b: Source): number {
  return (
    a.priority - b.priority ||
    compare(
      a.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
      b.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    ) ||
    compare(a.source, b.source) ||
    compare(a.effectiveAt.getTime(), b.effectiveAt.getTime()) ||
    compare(a.grantId, b.grantId)
  );
}

function compare<Value extends number | string>(a: Value, b: Value): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** What a wallet pays with: a grant, or what it has besides its grants. */
type Source = Omit<Grant, "amount" | "stored" | "orderId" | "allowanceId">;

/** What it has besides its grants. */
function restOf({ available, grants }: Wallet): Source {
  const remaining = grants.filter(isActive).reduce((rest, grant) => rest - grant.remaining, available);
  const order = { priority: 50, expiresAt: null, source: "purchase", effectiveAt: new Date(0) } as const;
  return { grantId: "", remaining, state: "active", ...order };
}

function isActive({ state }: Source): boolean {
  return state === "active";
}

interface Part {
  readonly source: Source;
  readonly amount: bigint;
}

function partsOf(sources: readonly Source[], amount: bigint): readonly Part[] {
  const parts: Part[] = [];
  let left = amount;
  for (const source of sources) {
    if (left === 0n) break;
    const part = left < source.remaining ? left : source.remaining;
    left -= part;
    if (part > 0n) parts.push({ source, amount: part });
  }
  return parts;
}

function take(parts: readonly Part[]): void {
  for (const { source, amount } of parts) {
    source.remaining -= amount;
    if (source.remaining === 0n) source.state = "ended";
  }
}

/**
 * Lets the grants of a wallet begin and expire that are due, in the order of time; the entries are to be posted. One that the
 * wallet has no room for begins later.
 */
export function advanceGrants(wallet: Wallet, now: Date): readonly Entry[] {
  const due = wallet.grants.flatMap(stepsOf).filter(({ at }) => at <= now);
  due.sort((a, b) => a.at.getTime() - b.at.getTime() || byOrder(a.grant, b.grant));
  return due.flatMap(({ grant, from }) => {
    if (grant.state !== from) return [];
    return (from === "scheduled" ? begin(wallet, grant) : expire(wallet, grant)) ?? [];
  });
}

interface Step {
  readonly grant: Grant;
  readonly at: Date;
  readonly from: GrantState;
}

function stepsOf(grant: Grant): readonly Step[] {
  const { state, effectiveAt, expiresAt } = grant;
  const begins = state === "scheduled" ? [{ grant, at: effectiveAt, from: "scheduled" as const }] : [];
  const ends = expiresAt === null ? [] : [{ grant, at: expiresAt, from: "active" as const }];
  return [...begins, ...ends];
}

/** It clears overage first, as a top-up does. `undefined` where the wallet would hold too much. */
function begin(wallet: Wallet, grant: Grant): Entry | undefined {
  const change = topUp(wallet, grant.amount);
  if (!apply(wallet, change)) return undefined;
  grant.remaining = change.available;
  grant.state = grant.remaining > 0n ? "active" : "ended";
  return entryOf(wallet, "grant", grant, change);
}

export function expire(wallet: Wallet, grant: Grant): Entry {
  grant.state = "expired";
  return leave(wallet, grant, "expiry");
}

/** For another that takes its place. */
export function end(wallet: Wallet, grant: Grant): Entry {
  grant.state = "ended";
  return leave(wallet, grant, "grant");
}

/** What remains leaves the wallet. */
function leave(wallet: Wallet, grant: Grant, cause: "grant" | "expiry"): Entry {
  const entry = entryOf(wallet, cause, grant, changeBy(-grant.remaining));
  apply(wallet, entry);
  return entry;
}

/** The grants that an order gave and that are not over. */
export function grantsOf({ grants }: Wallet, orderId: string | null): readonly Grant[] {
  return orderId === null ? [] : grants.filter((grant) => isActive(grant) && grant.orderId === orderId);
}

/** Takes credits out of grants, as far as they go. */
export function takeFrom(
  wallet: Wallet,
  grants: readonly Grant[],
  amount: bigint,
): readonly { readonly grantId: string; readonly change: Change }[] {
  const parts = partsOf(grants, amount);
  take(parts);
  return parts.map(({ source: { grantId }, amount: part }) => {
    const change = changeBy(-part);
    apply(wallet, change);
    return { grantId, change };
  });
}

/**
 * Takes back what remains of a grant, but for what accepted usage needs: that stays, without a grant. `undefined`, and nothing is
 * changed, where all of it is needed.
 */
export function takeBack(wallet: Wallet, grant: Grant, unsettled: bigint): readonly Entry[] | undefined {
  const free = wallet.available - unsettled;
  const taken = grant.state === "scheduled" || free > grant.remaining ? grant.remaining : free;
  if (taken <= 0n) return undefined;
  const entry = entryOf(wallet, "grant", grant, changeBy(-taken));
  const isHeld = grant.state === "active";
  if (isHeld) apply(wallet, entry);
  grant.remaining = taken;
  grant.state = "ended";
  return isHeld ? [entry] : [];
}

/** Takes what remains of grants that expired so long ago that no usage comes any more which was received before. */
export function lapseGrants({ grants }: Wallet, now: Date, oldestUnsettled: Date | null): void {
  for (const grant of grants) {
    const at = dueAt(grant);
    if (grant.state !== "expired" || at === undefined || at > now.getTime()) continue;
    if (oldestUnsettled === null || oldestUnsettled.getTime() >= at) grant.state = "ended";
  }
}

function changeBy(available: bigint): Change {
  return { available, pending: 0n, overageUsed: 0n, postpaidUsed: 0n };
}

function entryOf(
  { orgId, customerId, currency }: Wallet,
  cause: "grant" | "expiry",
  { grantId }: Source,
  change: Change,
): Entry {
  return { orgId, customerId, currency, cause, grantId, ...change };
}
