import type { Charge, CreditsOptions, Resolvable } from "@creditgate/core";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { CallToolResult, ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";

/** What the SDK gives to a tool's handler, behind its arguments if it has any. */
export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** The parameters of a tool's handler, as the SDK calls it. */
export type CallParameters = readonly [extra: Extra] | readonly [args: unknown, extra: Extra];

/** What a gated handler gets instead. */
export interface GatedExtra extends Extra {
  /** The charge of this call: report to it what the work used. */
  readonly credits: Charge;
}

/** A call of a tool, as resolvers see it. */
export interface ToolCall<Args = unknown> extends Extra {
  /** The arguments, as the tool's schema has parsed them; `undefined` for a tool without one. */
  readonly args: Args;
}

/** Options of `creditTool()`. A function among them is asked at each call; what it throws is the SDK's to answer. */
export interface ToolCreditsOptions<Args = unknown> extends Omit<CreditsOptions<ToolCall<Args>>, "customer"> {
  /**
   * The customer's external id, from verified authentication; nothing is denied.
   * @default authInfo.extra.customerId, which the server's token verifier has put there
   */
  readonly customer?: Resolvable<ToolCall<Args>, string | null | undefined>;
}

type ArgsOf<Call extends CallParameters> = Call extends readonly [infer Args, Extra] ? Args : undefined;

export type OptionsOf<Call extends CallParameters> = ToolCreditsOptions<ArgsOf<Call>>;

export type GatedHandler<Call extends CallParameters> = (
  ...call: Call extends readonly [infer Args, Extra] ? [args: Args, extra: GatedExtra] : [extra: GatedExtra]
) => CallToolResult | Promise<CallToolResult>;

export type ToolHandler<Call extends CallParameters> = (...call: Call) => Promise<CallToolResult>;
