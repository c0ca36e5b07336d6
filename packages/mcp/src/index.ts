export { creditTool } from "./credit-tool.ts";
export { denialKey } from "./denied-result.ts";
export type { GatedExtra, ToolCall, ToolCreditsOptions } from "./tool-call.ts";
