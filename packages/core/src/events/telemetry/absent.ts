import { refuseName } from "../../values/option.ts";

/** In a bundle for the edge, where `@opentelemetry/api` is not found by its name and would be carried unused. */
export function observeWithOpenTelemetry(_events: unknown, given: unknown): void {
  if (given !== undefined) {
    refuseName("openTelemetry: call recordTelemetry(gate, api)");
  }
}
