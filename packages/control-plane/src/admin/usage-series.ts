import type { Database } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import type { JsonObject } from "../http/json.ts";
import type { Clock } from "../time/clock.ts";
import { readAgentSeries, readCustomerSeries, readTotal, type SeriesRow } from "../usage/series.ts";
import { dayMs, hourMs } from "../usage/tallies.ts";
import { createTopCustomers } from "../usage/top-customers.ts";
import type { AdminHandlers } from "./table.ts";
import { type Span, spanOf } from "./usage-sums.ts";

/** Usage over time, by those that used most. */
export function usageSeriesHandlers(database: Database, clock: Clock) {
  const topCustomers = createTopCustomers(database, clock);

  async function readSeries(
    { orgId, unit, currency, from, to }: Span & { orgId: bigint; unit: "hour" | "day"; currency: string },
    by: "agent" | "customer",
    top: number,
  ): Promise<ReadonlyMap<string | null, Line>> {
    const selection = { orgId, unit, currency, from, to };
    if (by === "agent") return linesOf(await readAgentSeries(database, selection, top));
    const days = { fromDay: dayOf(from), toDay: dayOf(new Date(to.getTime() + dayMs - 1)) };
    const ids = (await topCustomers({ orgId, currency, ...days })).slice(0, top);
    const lines = linesOf(await readCustomerSeries(database, selection, ids));
    const others = lines.get(null);
    // There they are all customers.
    for (const id of ids) for (const [at, usage] of lines.get(id) ?? []) subtract(others, at, usage);
    return lines;
  }

  async function namesOf(
    orgId: bigint,
    by: "agent" | "customer",
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const named =
      by === "agent"
        ? database
            .selectFrom("agents")
            .select(["agent_id as id", "name"])
            .where("org_id", "=", orgId)
            .where("agent_id", "in", ids)
        : database
            .selectFrom("customers")
            .select(["external_id as id", "name"])
            .where("org_id", "=", orgId)
            .where("external_id", "in", ids);
    return new Map((await named.execute()).map(({ id, name }) => [id, name]));
  }

  return {
    async usageSeries({ orgId, at, query }) {
      const { by, creditCurrencyKey: currency, unit = "day", top = 4 } = query;
      const { from, to } = spanOf(query, unit, at);
      const unitMs = unit === "hour" ? hourMs : dayMs;
      const earlier = new Date(2 * from.getTime() - to.getTime());
      const [lines, before] = await Promise.all([
        readSeries({ orgId, unit, currency, from, to }, by, top),
        readTotal(database, { orgId, unit, currency, from: earlier, to: from }),
      ]);
      const times = Array.from(
        { length: (to.getTime() - from.getTime()) / unitMs },
        (_, index) => from.getTime() + index * unitMs,
      );
      const ids = [...lines.keys()].filter((id) => id !== null);
      const names = await namesOf(orgId, by, ids);
      const series = ids
        .map((id) => ({ id, name: names.get(id) ?? id, ...record(lines.get(id), times) }))
        .sort((one, other) => (one.credits < other.credits ? 1 : -1));
      const others = record(lines.get(null), times);
      return answer(200, {
        ...{ by, unit, creditCurrencyKey: currency, from: from.toISOString(), to: to.toISOString() },
        times: times.map((time) => new Date(time).toISOString()),
        series,
        others,
        total: {
          events: series.reduce((sum, { events }) => sum + events, others.events),
          credits: series.reduce((sum, { credits }) => sum + credits, others.credits),
        },
        before: { events: Number(before.events), credits: BigInt(before.credits) },
      });
    },
  } satisfies Partial<AdminHandlers>;
}

interface Usage {
  readonly events: bigint;
  readonly credits: bigint;
}

/** The usage of one, by the beginning of its hours or days. */
type Line = Map<number, Usage>;

function linesOf(rows: readonly SeriesRow[]): Map<string | null, Line> {
  const lines = new Map<string | null, Line>();
  for (const { id, at, events, credits } of rows) {
    const line = lines.get(id) ?? new Map();
    lines.set(id, line.set(Number(at), { events, credits: BigInt(credits) }));
  }
  return lines;
}

function subtract(line: Line | undefined, at: number, usage: Usage): void {
  const whole = line?.get(at);
  if (whole === undefined) return;
  line?.set(at, { events: whole.events - usage.events, credits: whole.credits - usage.credits });
}

function record(line: Line = new Map(), times: readonly number[]) {
  const usage = [...line.values()];
  return {
    events: Number(usage.reduce((sum, { events }) => sum + events, 0n)),
    credits: usage.reduce((sum, { credits }) => sum + credits, 0n),
    values: times.map((time) => line.get(time)?.credits ?? 0n),
  } satisfies JsonObject;
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
