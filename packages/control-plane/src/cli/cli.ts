import { ControlPlaneError } from "../errors/control-plane-error.ts";
import { packageVersion } from "../metrics/version.ts";
import { isResource } from "./admin/resource-names.ts";
import { isCommand, otherCommands, readConfig, usage } from "./config.ts";
import { createLog } from "./log.ts";
import { isTool, runTool } from "./tool.ts";

/** As text until the options say otherwise. */
let log = createLog("text");

try {
  const args = process.argv.slice(2);
  const config = toolOf(args[0]) ?? readConfig(args, process.env);
  if (config.command === "tool") {
    process.exitCode = await runTool(config.name, args.slice(1));
  } else if (config.command === "administer") {
    const { administer } = await import("./admin/administer.ts");
    process.exitCode = await administer(config.resource, args.slice(1));
  } else if (config.command === "doctor") {
    const { runDoctor } = await import("./doctor.ts");
    process.exitCode = await runDoctor(args.slice(1));
  } else if (config.command === "leak") {
    const { runLeak } = await import("./leak/command.ts");
    process.exitCode = await runLeak(args.slice(1));
  } else if (config.command === "explain") {
    const { runExplain } = await import("./explain.ts");
    await runExplain(args.slice(1));
  } else if (config.command === "users") {
    const { runUsers } = await import("./users.ts");
    await runUsers(args.slice(1), process.env, log.error);
  } else if (config.command === "helped") process.exitCode = 0;
  else if (config.command === "help") process.stdout.write(usage);
  else if (config.command === "version") process.stdout.write(`${packageVersion()}\n`);
  else if (config.command === "worker") {
    const { work } = await import("./serve.ts");
    log = createLog(config.logFormat);
    await work(config, log);
  } else if (config.command === "migrate") {
    const { runMigrate } = await import("./bookkeeping.ts");
    await runMigrate(config);
  } else if (config.command === "verify" || config.command === "close-period") {
    const { keepBooks } = await import("./bookkeeping.ts");
    process.exitCode = await keepBooks(config, log.error);
  } else {
    // Loaded on demand: a wrong option is reported at once.
    const { serve } = await import("./serve.ts");
    log = createLog(config.logFormat);
    await serve(config, log);
  }
} catch (error) {
  fail(error);
}

/** These read what follows them on their own. */
function toolOf(name: string | undefined) {
  if (name === "doctor") return { command: name } as const;
  if (name === "leak") return { command: name } as const;
  if (name === "explain") return { command: name } as const;
  if (isResource(name)) return { command: "administer", resource: name } as const;
  if (name === "users") return { command: name } as const;
  return isTool(name) ? ({ command: "tool", name } as const) : undefined;
}

/** Exit 2: bad input; 1: anything else. An unforeseen failure shows where it came from. */
function fail(error: unknown): void {
  const known = error instanceof ControlPlaneError;
  const isInput = known && (error.code === "config_invalid" || error.code === "fixture_invalid");
  log.error(error);
  if (isInput) process.stderr.write(`creditgate ${helpOf(process.argv[2])} shows the options.\n`);
  process.exitCode = isInput ? 2 : 1;
}

function helpOf(name = ""): string {
  const hasHelp = isResource(name) || isCommand(name) || otherCommands.includes(name);
  return hasHelp ? `${name} --help` : "--help";
}
