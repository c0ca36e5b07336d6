import type { Clock } from "@creditgate/core";
import { fromMicro, invalidOption, sleep, systemClock } from "@creditgate/core/adapter";
import type { ListedRow, OutboxStore, RowRequest } from "../outbox/outbox-store.ts";
import { packDecision, type RowDecision } from "../outbox/row-request.ts";
import { parseItem, type StoredItem } from "../outbox/stored-item.ts";
import type { Decided, ItemState, OutboxItem, OutboxOperator } from "./outbox-operator.ts";

/** Options of {@link createFleetOperator}. */
export interface FleetOperatorOptions {
  /**
   * How long a decision waits for the processes to receive it; milliseconds. They ask every sixth of `abandonMs`.
   * @default 15_000
   */
  readonly waitMs?: number;
  /** Time, for tests. @default that of the machine */
  readonly clock?: Clock;
}

/** An item, and where its row stands. */
interface PlacedItem extends OutboxItem {
  readonly place: string;
}

const pollMs = 200;
const reportStates: readonly ItemState[] = ["parked", "dead"];
const undecided: readonly ItemState[] = ["parked", "dead", "orphan"];

/**
 * What operators do with the outbox of a fleet, while it runs: a decision is left in the store, and the process that has the report
 * does it at its next beat, so that the report, its wallet and the queue are changed together.
 */
export function createFleetOperator(
  store: Pick<OutboxStore, "list" | "request">,
  { waitMs = 15_000, clock = systemClock }: FleetOperatorOptions = {},
): OutboxOperator {
  /** Resolves when the processes have received all decisions, or the time is over. */
  async function left(places: ReadonlyMap<string, string>): Promise<Decided> {
    const deadline = clock.now() + waitMs;
    for (;;) {
      const waiting = new Set(
        (await rowsOf(store)).filter(({ isRequested }) => isRequested).map(({ place }) => place),
      );
      const ids = [...places].filter(([, place]) => waiting.has(place)).map(([id]) => id);
      if (ids.length === 0 || clock.now() >= deadline) {
        return { done: [...places.keys()].filter((id) => !ids.includes(id)), left: ids };
      }
      await sleep(clock, pollMs);
    }
  }

  async function decide(
    ids: readonly string[],
    allowed: readonly ItemState[],
    decision: RowDecision,
  ): Promise<Decided> {
    const items = new Map((await itemsOf(store)).map((item) => [item.id, item]));
    const places = new Map<string, string>();
    for (const id of ids) places.set(id, placeOf(items.get(id), id, allowed));
    const text = packDecision(decision);
    const requests: RowRequest[] = [...places.values()].map((place) => ({ place, text }));
    await store.request(requests);
    return left(places);
  }

  return {
    list: async () => (await itemsOf(store)).map(({ place: _, ...item }) => item),
    retry: (ids, reason) => decide(ids, reportStates, { as: "retry", reason }),
    resolve: (ids, resolution) => decide(ids, resolution.as === "bill" ? ["orphan"] : undecided, resolution),
  };
}

function placeOf(item: PlacedItem | undefined, id: string, allowed: readonly ItemState[]): string {
  if (item !== undefined && allowed.includes(item.state)) return item.place;
  const expected = allowed.length === 1 ? "an orphan" : "a parked or dead report";
  return invalidOption(id, expected, item === undefined ? "no such id" : `one that is ${item.state}`);
}

async function itemsOf(store: Pick<OutboxStore, "list">): Promise<readonly PlacedItem[]> {
  return (await rowsOf(store)).flatMap(itemOf);
}

async function rowsOf(store: Pick<OutboxStore, "list">): Promise<readonly ListedRow[]> {
  const rows: ListedRow[] = [];
  for (;;) {
    const page = await store.list(rows.at(-1)?.place);
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}

/** None for what is no item of operators: the reservations of processes. */
function itemOf(row: ListedRow): readonly PlacedItem[] {
  const { place, text, note, isOwn, isRequested } = row;
  let item: StoredItem;
  try {
    item = parseItem(text, note);
  } catch {
    return [damaged(row)];
  }
  if ("reservation" in item) return [];
  const since = new Date(item.since).toISOString();
  const requested = isRequested ? { isRequested } : {};
  if ("work" in item) {
    const { hold, ...work } = item.work;
    const state = isOwn ? "open" : "orphan";
    return [{ ...work, place, state, credits: fromMicro(hold), since, ...requested }];
  }
  const { id, customerId, agentId, indicator, currency, rawUsage, entry } = item.report;
  const { state, reason } = item.note;
  const report = { id, state, customerId, agentId, indicator, currency, rawUsage };
  const credits = fromMicro(entry.amount);
  return [{ ...report, place, credits, since, ...(reason !== undefined && { reason }), ...requested }];
}

function damaged({ place, text, note }: ListedRow): PlacedItem {
  const unknown = { customerId: "", agentId: "", indicator: "", currency: "", credits: 0, since: "" };
  return { ...unknown, id: place, place, state: "damaged", reason: `${text} ${note}`.trim() };
}
