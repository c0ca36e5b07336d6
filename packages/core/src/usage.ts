import { invalidOption, isLine } from "./option.ts";

/** What a model was asked to do (API 2.4, `rawUsage`). */
export interface Usage {
  /** Such as `openai`. */
  readonly provider?: string | undefined;
  /** Such as `gpt-5`. */
  readonly model?: string | undefined;
  /** The plan of the provider, where its prices differ by plan. */
  readonly plan?: string | undefined;
  /** Tokens read, a whole number. */
  readonly inputTokens?: number | undefined;
  /** Tokens written, a whole number. */
  readonly outputTokens?: number | undefined;
}

/** What one report may say otherwise than its request does. */
export interface ReportOverrides {
  readonly indicator?: string | undefined;
  readonly agentId?: string | undefined;
  /**
   * What the service will debit for it, in credits, rounded up. It informs the gate's ledger only: the API has no
   * field for it. Without it `price(usage)` of the gate is asked, and without that the rest of the hold is reserved.
   */
  readonly credits?: number | undefined;
}

const texts = ["provider", "model", "plan"] as const;
const tokens = ["inputTokens", "outputTokens"] as const;

/** The usage as it goes to the service, or an `invalid_option` error that names the field. */
export function checkedUsage(option: string, usage: Usage): Usage {
  if (typeof usage !== "object" || usage === null) invalidOption(option, "an object", usage);
  const checked: Record<string, string | number> = {};
  for (const field of texts) {
    const value = usage[field];
    if (value === undefined) continue;
    if (!isLine(value)) {
      invalidOption(`${option}.${field}`, "a string of at most 256 bytes without control characters", value);
    }
    checked[field] = value;
  }
  for (const field of tokens) {
    const value = usage[field];
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < 0) {
      invalidOption(`${option}.${field}`, "a whole number of tokens, 0 or more", value);
    }
    checked[field] = value;
  }
  return checked;
}
