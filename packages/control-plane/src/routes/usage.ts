import { usageReportRequest } from "@creditgate/client";
import { Router } from "express";
import { organization } from "../http/authentication.ts";
import { allow } from "../http/errors.ts";
import { echoKey, hashOf, idempotencyKey, keyReused } from "../http/idempotency.ts";
import { sendJson } from "../http/json.ts";
import { Problem } from "../http/problem.ts";
import { unknown } from "../http/references.ts";
import { parse } from "../http/validation.ts";
import type { UsageIntake } from "../usage/intake.ts";

/** Usage reports (API, section 4.2): stored, acknowledged, settled later. */
export function usageRoutes(intake: UsageIntake): Router {
  const router = Router();

  router.post("/api/v2/usage", async (request, response) => {
    const report = parse(usageReportRequest, request.body, "body");
    const key = idempotencyKey(request);
    const orgId = organization(response);
    const receipt = await intake.accept({ orgId, report, idempotencyKey: key, hash: hashOf(report) });
    if (receipt.accepted) {
      echoKey(response, key);
      const { usageId: id, amount: credits, currency } = receipt;
      sendJson(response, 202, { id, status: "accepted", idempotencyKey: key ?? null, credits, currency });
      return;
    }
    switch (receipt.reason) {
      case "customer_unknown":
        throw unknown("customer", report.customerId);
      case "agent_unknown":
        throw unknown("agent", report.agentId);
      case "indicator_unknown":
        throw unknown("indicator", report.indicator);
      case "key_reused":
        throw keyReused(key ?? "");
      case "out_of_range":
        throw new Problem(
          422,
          "amount_out_of_range",
          "rawUsage: expected usage that costs at most one billion credits, received more",
        );
    }
  });

  router.all("/api/v2/usage", allow("POST"));

  return router;
}
