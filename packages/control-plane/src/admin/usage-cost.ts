import type { UsageCostQuery } from "@creditgate/admin";
import { type RawUsage, rawUsage } from "@creditgate/client";
import { z } from "zod";
import type { Database } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import type { Json } from "../http/json.ts";
import { requireAgent, unknown } from "../http/problem.ts";
import { parse } from "../http/validation.ts";
import { formatDecimal } from "../money/decimal.ts";
import { type BillLine, billOf } from "../pricing/bill.ts";
import { termsInForce } from "../pricing/prices.ts";
import { type Charge, type Count, whole } from "../pricing/pricing.ts";
import { modelPriceFor, type Terms } from "../pricing/terms.ts";
import { amountOutOfRange, chargeOf, priceCharges, unitUnknown } from "../usage/price.ts";
import { minutes } from "../voice/price.ts";
import type { AdminHandlers } from "./table.ts";

const reported = z.object({ rawUsage });

/** What a use would cost, by the same code that prices a report; nothing is stored. */
export function usageCostHandlers(database: Database) {
  return {
    async usageCost({ orgId, at: now, params: { agentId, indicator }, query }) {
      const at = query.at === undefined ? now : new Date(query.at);
      const terms = await termsInForce(database, { orgId, agentId, indicator }, at);
      if (terms === undefined) {
        await requireAgent(database, orgId, agentId);
        throw unknown("indicator", indicator);
      }
      const usage = usageOf(query);
      const { charges, amount } = costOf(terms, indicator, usage, query.callMinutes);
      const found = modelPriceFor(terms, usage);
      return answer(200, {
        at: at.toISOString(),
        version: terms.version,
        billing: terms.billing,
        creditCurrencyKey: terms.billing === "CREDITS" ? terms.currency : null,
        credits: amount,
        modelPrice:
          found === undefined
            ? null
            : { provider: found.provider, model: found.model, plan: found.plan ?? null },
        parts: billOf(charges).map(record),
      });
    },
  } satisfies Partial<AdminHandlers>;
}

function usageOf({ rawUsage: text = "{}" }: UsageCostQuery): RawUsage {
  return parse(reported, { rawUsage: jsonOf(text) }, "query").rawUsage;
}

/** `undefined` for what is no JSON: the schema says so. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Cost {
  readonly charges: readonly Charge[];
  readonly amount: bigint;
}

/** A call is an event at the default price, and what its models did at theirs. */
function costOf(terms: Terms, indicator: string, usage: RawUsage, callMinutes: string | undefined): Cost {
  if (terms.billing !== "CREDITS") return { charges: [], amount: 0n };
  const charge = chargeOf(terms, usage);
  if ("unit" in charge) throw unitUnknown(indicator, charge.unit);
  const charges = callMinutes === undefined ? [charge] : [callOf(terms, callMinutes), partsOf(charge)];
  const priced = priceCharges(terms, charges);
  if (priced === "unpriced") throw amountOutOfRange();
  return { charges, amount: priced.amount };
}

function callOf({ price }: Terms, duration: string): Charge {
  return { price, quantity: { perEvent: whole(1), perCallMinute: minutes(duration) } };
}

function partsOf({ price, quantity: { perEvent: _, ...parts } }: Charge): Charge {
  return { price, quantity: parts };
}

function record({ component, unit, count, rate, isOfTotal, amount }: BillLine): Json {
  return {
    component,
    unit: unit ?? null,
    quantity: formatDecimal(component === "perAudioMinute" ? secondsOf(count) : count),
    rate: rate === undefined ? null : formatDecimal(rate),
    isRateOfTotal: isOfTotal,
    credits: amount,
  };
}

function secondsOf({ digits, scale, divisor = 1n }: Count): Count {
  return { digits: (digits * 60n) / divisor, scale };
}
