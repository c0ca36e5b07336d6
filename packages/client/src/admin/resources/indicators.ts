import type { CallOptions } from "../../call.ts";
import { call, checkPath } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import type { PartQuery } from "../contract/part.ts";
import { partQuery } from "../contract/part.ts";
import {
  type AdminIndicator,
  type AdminPrice,
  adminIndicator,
  adminPrice,
  type IndicatorCreateRequest,
  type IndicatorListAnswer,
  indicatorCreateRequest,
  indicatorListAnswer,
  type PriceListAnswer,
  type PriceSetRequest,
  priceListAnswer,
  priceSetRequest,
} from "../contract/price.ts";
import { type UsageCost, type UsageCostRequest, usageCost, usageCostQuery } from "../contract/usage-cost.ts";
import { adminEndpoints } from "../endpoints.ts";
import { createListing, type Listing } from "../listing.ts";

/** The indicators of an organisation's agents, and what they cost. */
export interface AdminIndicators {
  /** The indicators of an agent, by name, each with the terms that hold now. */
  of(agentId: string): Listing<PartQuery, IndicatorListAnswer, AdminIndicator>;
  /** A new indicator, whose terms hold from now on; 409 `indicator_exists` where the agent has one of this name. Never retried once sent. */
  create(agentId: string, indicator: IndicatorCreateRequest, options?: CallOptions): Promise<AdminIndicator>;
  /** All terms that an indicator has had and will have, the last to hold first. */
  prices(agentId: string, indicator: string): Listing<PartQuery, PriceListAnswer, AdminPrice>;
  /**
   * Gives an indicator other terms from an instant on; what was used before costs what it did. Where the same terms hold
   * already they stay as they are. A fixture does not take them back. 422 `valid_from_past`. Retried.
   */
  setPrice(
    agentId: string,
    indicator: string,
    price: PriceSetRequest,
    options?: CallOptions,
  ): Promise<AdminPrice>;
  /**
   * What a use would cost, line by line: by the price of an instant, and by the code that prices reports. Nothing is
   * billed. 422 `unit_unknown`, `amount_out_of_range`. Retried.
   */
  cost(
    agentId: string,
    indicator: string,
    usage?: UsageCostRequest,
    options?: CallOptions,
  ): Promise<UsageCost>;
}

export function createAdminIndicators(transport: Transport, organization_id: string): AdminIndicators {
  return {
    of(agent_id) {
      const endpoint = adminEndpoints.indicatorList;
      return createListing(transport, checkPath(endpoint, { organization_id, agent_id }), {
        endpoint,
        query: partQuery,
        answer: indicatorListAnswer,
        itemsOf: ({ indicators }) => indicators,
      });
    },
    async create(agent_id, indicator, options) {
      const creating = adminEndpoints.indicatorCreate;
      const body = checkInput(creating, indicatorCreateRequest, indicator);
      const params = checkPath(creating, { organization_id, agent_id });
      return call(transport, creating, adminIndicator, { params, body }, options);
    },
    prices(agent_id, indicator) {
      const endpoint = adminEndpoints.priceList;
      return createListing(transport, checkPath(endpoint, { organization_id, agent_id, indicator }), {
        endpoint,
        query: partQuery,
        answer: priceListAnswer,
        itemsOf: ({ prices }) => prices,
      });
    },
    async setPrice(agent_id, indicator, price, options) {
      const setting = adminEndpoints.priceSet;
      const body = checkInput(setting, priceSetRequest, price);
      const params = checkPath(setting, { organization_id, agent_id, indicator });
      return call(transport, setting, adminPrice, { params, body }, options);
    },
    async cost(agent_id, indicator, { rawUsage, callMinutes, at } = {}, options) {
      const pricing = adminEndpoints.usageCost;
      const params = checkPath(pricing, { organization_id, agent_id, indicator });
      const query = checkInput(pricing, usageCostQuery, {
        raw_usage: rawUsage === undefined ? undefined : JSON.stringify(rawUsage),
        call_minutes: callMinutes === undefined ? undefined : String(callMinutes),
        at,
      });
      return call(transport, pricing, usageCost, { params, query: { ...query } }, options);
    },
  };
}
