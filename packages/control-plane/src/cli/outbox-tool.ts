import { ControlPlaneError } from "../errors/control-plane-error.ts";

/** Where the tool is. Not imported by name: the control plane does without it, and knows nothing of it. */
const tool: string = "@creditgate/sqlite/cli";

/** Hands `creditgate outbox …` over to the package that knows the file; resolves with the exit code. */
export async function runOutboxTool(args: readonly string[]): Promise<number> {
  const { main } = await load();
  return main(args);
}

async function load(): Promise<{ main(args: readonly string[]): Promise<number> }> {
  try {
    return await import(tool);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    throw new ControlPlaneError(
      "config_invalid",
      "outbox: expected @creditgate/sqlite to be installed beside this package (npm install @creditgate/sqlite), received none",
    );
  }
}
