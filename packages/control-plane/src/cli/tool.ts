import { parseArgs } from "node:util";
import { ControlPlaneError } from "../errors/control-plane-error.ts";

/** Which package has a command. Not imported by name: the control plane does without them, and knows nothing of them. */
const tools = {
  outbox: "@creditgate/sqlite",
  postgres: "@creditgate/postgres",
  redis: "@creditgate/redis",
} as const;

/** A command that another package brings. */
export type ToolName = keyof typeof tools;

export const toolNames: readonly string[] = Object.keys(tools);

export function isTool(name: string | undefined): name is ToolName {
  return name !== undefined && Object.hasOwn(tools, name);
}

/** Hands `creditgate outbox …` and its like over to the package that knows the store; resolves with the exit code. */
export async function runTool(name: ToolName, args: readonly string[]): Promise<number> {
  const { main } = await load(name);
  return main(args, { process, parseArgs });
}

interface Tool {
  main(args: readonly string[], terminal: object): Promise<number>;
}

async function load(name: ToolName): Promise<Tool> {
  const tool = tools[name];
  try {
    return await import(`${tool}/cli`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    throw new ControlPlaneError(
      "config_invalid",
      `${name}: expected ${tool} to be installed beside this package (npm install ${tool}), received none`,
    );
  }
}
