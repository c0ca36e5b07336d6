import type { WebhookEventType } from "@creditgate/client/admin";
import type { JsonObject } from "../http/json.ts";

/** Something that has happened and that others are told of. */
export interface Event {
  readonly orgId: bigint;
  readonly type: WebhookEventType;
  readonly customerId: string;
  /** Of the wallet whose event it is; without one it is the customer's. Those of one are told in order. */
  readonly currency?: string | undefined;
  readonly data: JsonObject;
}
