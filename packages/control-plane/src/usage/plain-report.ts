import type { RawUsage, UsageReportRequest } from "@creditgate/client";

const name = /^[ -~]{1,256}$/;
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
  return { agentId, customerId, indicator, rawUsage };
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
