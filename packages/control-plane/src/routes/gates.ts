import type { Endpoints } from "@creditgate/client";
import type { Database } from "../database/connection.ts";
import { answer, type Handlers } from "../endpoint/call.ts";
import { noteHeartbeat } from "../gates/heartbeat.ts";

/** What gates say of themselves. Not in the API: our addition. */
export function heartbeatHandlers(database: Database) {
  return {
    async gateHeartbeat({ orgId, at, body }) {
      const { retry } = await noteHeartbeat(database, orgId, body, at);
      return answer(200, { retry: [...retry] });
    },
  } satisfies Partial<Handlers<Endpoints>>;
}
