import type { Awaitable, Ending, Gate } from "@creditgate/core";
import { createAdmission, invalidOption } from "@creditgate/core/adapter";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { deniedResult } from "./denied-result.ts";
import type {
  CallParameters,
  Extra,
  GatedExtra,
  GatedHandler,
  OptionsOf,
  ToolCall,
  ToolCreditsOptions,
  ToolHandler,
} from "./tool-call.ts";

/**
 * The handler of an MCP tool, for `registerTool()`. A call whose customer cannot pay gets a result with `isError`, a text that
 * says what is missing, and the denial in `_meta`; every other reaches `handler`, which has the charge in `extra.credits`. What was
 * reported is billed when the handler has ended: as of a failure where it throws, or its result has `isError`. When the call is
 * cancelled, or its connection closed, `credits.signal` fires; the hold stays until the handler has ended. Throws an `invalid_option`
 * error for options that cannot be right; rejects with what a resolver or `handler` throws.
 */
export function creditTool<Call extends CallParameters = readonly [extra: Extra]>(
  gate: Gate,
  options: OptionsOf<Call>,
  handler: GatedHandler<Call>,
): ToolHandler<Call>;
export function creditTool<Args>(
  gate: Gate,
  options: ToolCreditsOptions<NoInfer<Args>>,
  handler: (args: Args, extra: GatedExtra) => Awaitable<CallToolResult>,
): (args: Args, extra: Extra) => Promise<CallToolResult>;
export function creditTool(
  gate: Gate,
  options: ToolCreditsOptions,
  handler: (...call: never) => Awaitable<CallToolResult>,
): ToolHandler<CallParameters> {
  if (typeof handler !== "function") invalidOption("handler", "a function", handler);
  const admit = createAdmission<ToolCall>(gate, { customer: customerOf, ...options });
  return async (...call) => {
    const [args, extra] = call.length === 1 ? [undefined, call[0]] : call;
    const admission = await admit({ ...extra, args });
    if (!admission.admitted) return deniedResult(admission.denial);
    const { signal } = extra;
    if (signal.aborted) {
      admission.credits.release();
      throw signal.reason;
    }
    const gated: GatedExtra = { ...extra, credits: admission.credits };
    // Not called before the listener is there: the call may be cancelled within its first step.
    const handling: Promise<CallToolResult> = Promise.resolve([...call.slice(0, -1), gated]).then(
      (parameters) => Reflect.apply(handler, undefined, parameters),
    );
    const disconnect = () => void admission.disconnect(handling).catch(() => {});
    signal.addEventListener("abort", disconnect);
    let ending: Ending = "failed";
    try {
      const result = await handling;
      if (result.isError !== true) ending = "completed";
      return result;
    } finally {
      signal.removeEventListener("abort", disconnect);
      // The gate's events report what cannot be billed.
      admission.end(signal.aborted ? "aborted" : ending).catch(() => {});
    }
  };
}

function customerOf({ authInfo }: ToolCall): string | undefined {
  const customer = authInfo?.extra?.customerId;
  return typeof customer === "string" ? customer : undefined;
}
