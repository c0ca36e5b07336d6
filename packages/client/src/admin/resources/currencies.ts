import type { CallOptions } from "../../call.ts";
import { posting } from "../../checked-call.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminCurrency,
  adminCurrency,
  type CurrencySetRequest,
  currencyListAnswer,
  currencySetRequest,
} from "../contract/currency.ts";
import { partQuery } from "../contract/part.ts";
import { adminEndpoints } from "../endpoints.ts";
import { collected, createListing } from "../listing.ts";

/** The credit currencies of an organisation. They come into being where they are first named: here, in a price, an order or a fixture. */
export interface Currencies {
  /** All of them, by key. Retried. */
  list(options?: CallOptions): Promise<readonly AdminCurrency[]>;
  /** Makes a currency, or changes its name or price. Retried. */
  set(currency: CurrencySetRequest, options?: CallOptions): Promise<AdminCurrency>;
}

export function createCurrencies(transport: Transport, organization_id: string): Currencies {
  const params = { organization_id };
  const listing = createListing(transport, params, {
    endpoint: adminEndpoints.currencyList,
    query: partQuery,
    answer: currencyListAnswer,
    itemsOf: ({ currencies }) => currencies,
  });
  return {
    list: (options) => collected(listing.all({ limit: 100 }, options)),
    set: posting(transport, params)(adminEndpoints.currencySet, currencySetRequest, adminCurrency),
  };
}
