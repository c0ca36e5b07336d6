import { z } from "zod";
import type { CallOptions } from "../../call.ts";
import { call, posting } from "../../checked-call.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminCurrency,
  adminCurrency,
  type CurrencySetRequest,
  currencySetRequest,
} from "../contract/currency.ts";
import { adminEndpoints } from "../endpoints.ts";
import { everyPage } from "../pages.ts";

/** The credit currencies of an organisation. They come into being where they are first named: here, in a price, an order or a fixture. */
export interface Currencies {
  /** All of them, by key. Retried. */
  list(options?: CallOptions): Promise<readonly AdminCurrency[]>;
  /** Makes a currency, or changes its name or price. Retried. */
  set(currency: CurrencySetRequest, options?: CallOptions): Promise<AdminCurrency>;
}

const list = z.looseObject({ limit: z.int().optional(), currencies: z.array(adminCurrency) });

export function createCurrencies(transport: Transport, organization_id: string): Currencies {
  const params = { organization_id };
  return {
    list: (options) =>
      everyPage(
        (query) => call(transport, adminEndpoints.currencyList, list, { params, query }, options),
        (answer) => answer.currencies,
      ),
    set: posting(transport, params)(adminEndpoints.currencySet, currencySetRequest, adminCurrency),
  };
}
