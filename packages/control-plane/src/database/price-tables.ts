import type { ColumnType, Generated } from "kysely";
import type { WrittenModelPrice, WrittenPrice } from "../pricing/terms.ts";

/** Indicators and their prices as Kysely sees them. JSON is text on its way in. */
export interface PriceTables {
  unit_prices: {
    org_id: bigint;
    currency: string;
    version: number;
    valid_from: Date;
    unit_amount: string | null;
    unit_currency: string | null;
  };
  indicators: {
    org_id: bigint;
    agent_id: string;
    name: string;
  };
  prices: {
    org_id: bigint;
    agent_id: string;
    indicator: string;
    version: number;
    valid_from: Date;
    billing: string;
    currency: string | null;
    price: ColumnType<WrittenPrice, string, never>;
    model_prices: ColumnType<readonly WrittenModelPrice[], string, never>;
    /** As an actor of the audit log. */
    set_by: Generated<string | null>;
    set_at: Generated<Date | null>;
  };
}
