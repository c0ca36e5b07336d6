import type { WalletBalance } from "@creditgate/client";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { type Admin, administrator } from "./administrator.ts";
import { acme } from "./fixture.ts";

export const adminToken = "cga_a-token-for-these-tests";
export const hour: number = 60 * 60 * 1_000;

/** Acme, with somebody who administers it, at a time that stands still. */
export interface AdminScene {
  readonly plane: TestControlPlane;
  readonly admin: Admin;
  readonly clock: { time: number; now(): number };
  /** The path of Acme below `/admin/api`. */
  readonly path: string;
  wallet(customer: string, currency?: string): Promise<WalletBalance | undefined>;
  /** The newest record of the audit log. */
  lastAudit(): Promise<Record<string, unknown>>;
}

export async function openAdminScene(): Promise<AdminScene> {
  const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time };
  const plane = await startControlPlane({ fixture: acme, adminToken, clock });
  const admin = administrator(plane.baseUrl, adminToken);
  return {
    plane,
    admin,
    clock,
    path: `/organizations/${await admin.organizationId("Acme")}`,
    wallet: async (customer, currency = "ai_credits") => (await plane.balance(customer))[currency],
    async lastAudit() {
      const { records } = (await admin.get("/audit?limit=1")).json;
      return (records as Record<string, unknown>[])[0] ?? {};
    },
  };
}
