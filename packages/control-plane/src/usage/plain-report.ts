import { budgetRules, type RawUsage, type UsageReportRequest } from "@creditgate/client";

const name = /^[ -~]{1,256}$/;
const plainInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const origin = /^[ -~]{0,256}$/;

/**
 * The report that a body is, as the schema would parse it: nearly all that comes. `undefined` where that takes more than
 * a look, and the schema has to say; it takes several times as long.
 */
export function plainReport(body: unknown): UsageReportRequest | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  if (!("agentId" in body && "customerId" in body && "indicator" in body && "rawUsage" in body))
    return undefined;
  const { agentId, customerId, indicator, rawUsage } = body;
  if (!isName(agentId) || !isName(customerId) || !isName(indicator) || !isPlainUsage(rawUsage))
    return undefined;
  const report = { agentId, customerId, indicator, rawUsage };
  if (!("budgets" in body) || body.budgets === undefined) return report;
  return isPlainBudgets(body.budgets) ? { ...report, budgets: body.budgets } : undefined;
}

/** One or two are compared with each other sooner than by a set. */
function isPlainBudgets(budgets: unknown): budgets is NonNullable<UsageReportRequest["budgets"]> {
  if (!Array.isArray(budgets) || budgets.length > budgetRules.inReport) return false;
  return budgets.every((budget: unknown, index) => {
    if (typeof budget !== "object" || budget === null || !("key" in budget)) return false;
    const { key } = budget;
    if (typeof key !== "string" || !budgetRules.key.test(key)) return false;
    if ("period" in budget && !isPlainPeriod(budget.period)) return false;
    return !budgets.slice(0, index).some((earlier) => earlier.key === key);
  });
}

function isPlainPeriod(period: unknown): boolean {
  return (
    period === undefined ||
    (typeof period === "string" && plainInstant.test(period) && !Number.isNaN(Date.parse(period)))
  );
}

function isPlainUsage(usage: unknown): usage is RawUsage {
  if (typeof usage !== "object" || usage === null || Array.isArray(usage)) return false;
  // The schema drops it.
  if (Object.hasOwn(usage, "__proto__")) return false;
  // Their names are the users': the schema looks at each.
  if ("units" in usage && usage.units !== undefined) return false;
  const fields: Partial<Record<keyof RawUsage, unknown>> = usage;
  return (
    isOrigin(fields.provider) &&
    isOrigin(fields.model) &&
    isOrigin(fields.plan) &&
    isCount(fields.inputTokens) &&
    isCount(fields.outputTokens) &&
    isCount(fields.cachedInputTokens) &&
    isCount(fields.cacheWriteTokens) &&
    isCount(fields.audioInputTokens) &&
    isCount(fields.reasoningTokens) &&
    isCount(fields.audioOutputTokens) &&
    isCount(fields.images) &&
    isCount(fields.seconds) &&
    isCount(fields.characters) &&
    isCount(fields.requests)
  );
}

function isName(value: unknown): value is string {
  return typeof value === "string" && name.test(value);
}

function isOrigin(value: unknown): boolean {
  return value === undefined || (typeof value === "string" && origin.test(value));
}

function isCount(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0);
}
