import { type Observable, type OpenTelemetry, record } from "./telemetry.ts";

/**
 * Turns the events of a gate into spans and metrics, if `@opentelemetry/api` is installed; resolves when it has found
 * out, never rejects. Customers are never among the attributes.
 */
export async function observeWithOpenTelemetry(events: Observable, given?: OpenTelemetry): Promise<void> {
  const api = given ?? (await installed());
  try {
    if (api !== undefined) record(events, api);
  } catch (error) {
    console.error("creditgate: OpenTelemetry cannot be used", error);
  }
}

let looking: Promise<OpenTelemetry | undefined> | undefined;

/** Looked for once: an import that fails is not remembered, and costs as much each time. */
function installed(): Promise<OpenTelemetry | undefined> {
  looking ??= look();
  return looking;
}

async function look(): Promise<OpenTelemetry | undefined> {
  try {
    // A variable, and the comments, keep bundlers from resolving what need not be there.
    const specifier = "@opentelemetry/api";
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ specifier);
  } catch {
    return undefined;
  }
}
