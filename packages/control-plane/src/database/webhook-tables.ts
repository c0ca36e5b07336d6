import type { Generated, GeneratedAlways } from "kysely";

/** Endpoints, events and their deliveries as Kysely sees them. */
export interface WebhookTables {
  webhook_endpoints: {
    org_id: bigint;
    endpoint_id: string;
    url: string;
    description: string | null;
    events: string[] | null;
    created_at: Date;
    failing_since: Date | null;
    disabled_at: Date | null;
    disabled_why: DisabledWhy | null;
  };
  webhook_secrets: {
    org_id: bigint;
    endpoint_id: string;
    secret_id: string;
    secret: string;
    created_at: Date;
    ends_at: Date | null;
  };
  webhook_events: {
    org_id: bigint;
    event_id: string;
    sequence: GeneratedAlways<bigint>;
    type: string;
    customer_id: string;
    currency: string;
    body: string;
    created_at: Date;
  };
  webhook_deliveries: {
    org_id: bigint;
    endpoint_id: string;
    event_id: string;
    sequence: bigint;
    type: string;
    customer_id: string;
    currency: string;
    created_at: Date;
    status: Generated<DeliveryStatus>;
    attempts: Generated<number>;
    attempted_at: Date | null;
    duration_ms: number | null;
    response_status: number | null;
    response: string | null;
    error: string | null;
  };
  webhook_streams: {
    org_id: bigint;
    endpoint_id: string;
    customer_id: string;
    currency: string;
    waiting: number;
    due_at: Date;
    claim: string | null;
  };
}

export type DisabledWhy = "administrator" | "failing" | "gone";
export type DeliveryStatus = "pending" | "delivered" | "given_up";
