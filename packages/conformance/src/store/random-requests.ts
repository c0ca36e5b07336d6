import { createRandom, type Random } from "@creditgate/core/testing";
import type { StoredCapacity, SyncRequest, Terms } from "@creditgate/fleet";
import { ModelledStore, type SharedStoreOnTrial } from "./model.ts";

const syncs = 120;

/** A process as far as its syncs need it. */
interface Sender {
  readonly id: string;
  seq: number;
  epoch: string | null;
  reservation: number;
  register: boolean;
  last: SyncRequest | undefined;
}

/** Sends the syncs of a seed to the store, and to the model. Throws where they answer differently. */
export async function sendRandomRequests(
  trial: SharedStoreOnTrial,
  account: string,
  seed: number,
): Promise<void> {
  const random = createRandom(seed);
  const model = new ModelledStore(trial.store);
  // Amounts beyond 2^53 are the ones that a store is likely to lose digits of.
  const unit = random.pick([1, 1, 997, 2 ** 43 - 1, 2 ** 50 - 1]);
  const terms = drawTerms(random);
  const senders = ["p0", "p1", "p2"].map(
    (id): Sender => ({ id, seq: 0, epoch: null, reservation: 0, register: false, last: undefined }),
  );
  let now = 0;
  let stamp: number | undefined;
  let epoch = "";
  for (let count = 0; count < syncs; count++) {
    await trial.advance(random.integer(0, random.pick([0, 5, 60])));
    if (trial.restart !== undefined && random.chance(0.01)) {
      await trial.restart();
      model.expectNewEpoch();
    }
    const sender = senders[random.integer(0, 2)];
    if (sender === undefined) continue;
    const repeats = random.chance(0.05) && sender.last !== undefined;
    const drawn = drawRequest(random, { sender, unit, terms, now, stamp, epoch });
    const request = repeats && sender.last !== undefined ? sender.last : drawn;
    sender.last = request;
    const answer = await model.exchange(account, request);
    sender.epoch = answer.epoch;
    sender.register = answer.status === "register";
    sender.reservation = answer.reservation;
    now = answer.now;
    epoch = answer.epoch;
    if (answer.refresh === "go") stamp = answer.now;
  }
}

function drawTerms(random: Random): Terms {
  return {
    leaseMs: random.pick([100, 300]),
    lagMs: random.integer(5, 300),
    maxStaleMs: random.pick([300, 900]),
    minRefreshMs: random.pick([0, 10]),
    requestMs: 60,
    windowMs: random.integer(1, 30),
  };
}

interface Surroundings {
  readonly sender: Sender;
  readonly unit: number;
  readonly terms: Terms;
  readonly now: number;
  readonly stamp: number | undefined;
  readonly epoch: string;
}

/** A sync that a process might say, and some that none would. */
function drawRequest(random: Random, { sender, unit, terms, now, stamp, epoch }: Surroundings): SyncRequest {
  const { reservation } = sender;
  const seq = random.chance(0.03) ? sender.seq : ++sender.seq;
  const acked = random.chance(0.3) ? some(random, reservation) : 0;
  const left = reservation - acked;
  const base = random.chance(0.02) ? safe(random.integer(0, 40) * unit) : some(random, left);
  const keep = random.chance(0.5) ? base : Math.max(base, left);
  const first = random.chance(0.6) ? safe(random.integer(1, 20) * unit) : 0;
  const rest = safe(random.integer(0, 20) * unit);
  return {
    id: sender.id,
    seq,
    epoch: random.chance(0.02) ? null : sender.epoch,
    at: random.chance(0.05) ? null : now - random.integer(-5, random.pick([5, 400])),
    register: random.chance(0.02) ? !sender.register : sender.register,
    kind: random.chance(0.8) ? "prepaid" : "postpaid",
    base,
    keep,
    claim: Math.max(keep, left),
    acked,
    queued: random.chance(0.3) ? some(random, acked) : 0,
    first,
    need: first === 0 ? 0 : safe(first + rest),
    want: random.chance(0.5) ? safe(random.integer(0, 100) * unit) : 0,
    abandonMs: random.chance(0.3) ? null : 400,
    recall: random.chance(0.3),
    ...(random.chance(0.3) && { recalled: random.integer(0, 5) }),
    ...(random.chance(0.3) && { refresh: random.chance(0.5) ? "now" : now - random.integer(0, 50) }),
    ...(stamp !== undefined && random.chance(0.6) && { snapshot: drawSnapshot(random, unit, stamp, epoch) }),
    ...(stamp !== undefined && random.chance(0.03) && { failed: stamp }),
    ...(random.chance(0.05) && {
      retire: ["p0", "p1", "p2", "p3"].filter((id) => id !== sender.id && random.chance(0.3)),
    }),
    terms: random.chance(0.1) ? { ...terms, lagMs: random.integer(5, 300) } : terms,
  };
}

function drawSnapshot(
  random: Random,
  unit: number,
  stamp: number,
  epoch: string,
): NonNullable<SyncRequest["snapshot"]> {
  const capacity = (): StoredCapacity => {
    if (random.chance(0.05)) return Number.MAX_SAFE_INTEGER;
    return random.chance(0.05) ? "wallet_missing" : safe(random.integer(-5, 300) * unit);
  };
  const prepaid = capacity();
  return {
    stamp: random.chance(0.9) ? stamp : stamp - random.integer(-5, 20),
    epoch: random.chance(0.03) ? "another" : epoch,
    prepaid,
    postpaid: random.chance(0.7) ? prepaid : capacity(),
    extended: random.chance(0.3),
  };
}

/** From 0 to the amount. */
function some(random: Random, amount: number): number {
  return random.chance(0.3) ? amount : Math.floor(random.next() * amount);
}

function safe(amount: number): number {
  return Math.min(amount, Number.MAX_SAFE_INTEGER);
}
