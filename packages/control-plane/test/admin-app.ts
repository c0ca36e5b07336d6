import express from "express";
import { adminRoutes } from "../src/admin/routes.ts";
import type { Database } from "../src/database/connection.ts";
import { createRateLimit } from "../src/endpoint/rate-limit.ts";
import { createAttempts } from "../src/http/attempts.ts";
import { createByteBudget } from "../src/http/byte-budget.ts";
import { listen } from "../src/http/listener.ts";
import { createKeyRing } from "../src/keys/key-ring.ts";
import { createPeople } from "../src/people/people.ts";
import { createSite } from "../src/people/site.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import type { Clock } from "../src/time/clock.ts";

export interface AdminApp {
  /** Resolves the answer of a path below `/admin/api`. */
  get(path: string): Promise<Response>;
  close(): Promise<void>;
}

/** The admin API alone, on a database that a test has by itself, as one who has its token asks it. */
export async function openAdminApp(database: Database, clock: Clock): Promise<AdminApp> {
  const token = "cga_a-token-for-these-tests";
  const rates = { requestsPerSecond: 0, reportsPerSecond: 0 };
  const site = createSite({ publicUrl: undefined, listening: () => "" });
  const app = express();
  app.use(
    adminRoutes({
      database,
      clock,
      keys: createKeyRing(database, clock),
      attempts: createAttempts(clock),
      bodies: createByteBudget({ total: 2048, each: 1024 }),
      limit: createRateLimit({ perKey: 0, rates }, clock),
      rates,
      adminTokens: [{ name: "test", token }],
      ownDatabase: database,
      people: createPeople({ site, oidc: undefined, tokenNames: ["test"] }, clock),
      canSignIn: false,
      stopping: new AbortController().signal,
      onNotice: () => undefined,
      periodSettings: defaultPeriodSettings,
      webhookUrls: () => undefined,
      onAccepted: () => undefined,
    }),
  );
  const listener = await listen(app, { host: "127.0.0.1", port: 0 });
  return {
    get: (path) =>
      fetch(`${listener.url}/admin/api${path}`, { headers: { authorization: `Bearer ${token}` } }),
    close: () => listener.drain(0),
  };
}
