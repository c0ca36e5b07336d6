import { setMaxListeners } from "node:events";
import { type DemoArguments, readArguments, usage } from "./arguments.ts";
import { createScreen } from "./screen.ts";
import type { SetupRunner } from "./setup.ts";
import { farewellTo, lastPicture, openingOf } from "./text.ts";

const interrupted = 130;
/** npm passes on the signal that the terminal has sent us already; a person is slower than that. */
const echoMs = 500;
const screen = createScreen(process.stdout);
let runner: SetupRunner | undefined;
const interruption = new AbortController();
let interruptedAt: number | undefined;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  let parsed: DemoArguments;
  try {
    parsed = readArguments(args);
  } catch (error) {
    process.stderr.write(`demo: ${messageOf(error)}\n\n${usage}`);
    return 2;
  }
  if (parsed.help) {
    process.stdout.write(usage);
    return 0;
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, interrupt);
  // The reader of our output has exited, as in `npm run demo | head`.
  process.stdout.on("error", () => interruption.abort(new Error("interrupted")));
  try {
    return await perform(parsed);
  } catch (error) {
    if (interruption.signal.aborted) return interrupted;
    screen.keep();
    process.stderr.write(`\ndemo: ${messageOf(error)}\n`);
    return 1;
  } finally {
    await runner?.close();
  }
}

async function perform({ once, processes }: DemoArguments): Promise<number> {
  for (const line of openingOf(processes)) screen.say(line);
  // They take seconds to load on a busy machine: the reader sees the first lines before that.
  const [{ runDemo }, setups, { tryIt }] = await Promise.all([
    import("./demo.ts"),
    import("./setup.ts"),
    import("./try-it.ts"),
  ]);
  runner = new setups.SetupRunner();
  const setup = await runner.open(interruption.signal, processes, (what) => screen.show(["", `${what} …`]));

  const over = AbortSignal.any([interruption.signal, setup.broken]);
  // Hundreds of requests listen to it at once.
  setMaxListeners(0, over);
  const { clean, table, verdict, groups } = await runDemo(setup, screen, over).catch((error) => {
    throw over.aborted ? over.reason : error;
  });
  const ours = groups.find(({ isOurs }) => isOurs);
  const commands = once || ours === undefined ? undefined : tryIt(setup, ours.alice, ours.team);
  screen.show(lastPicture(table, verdict, commands));
  screen.keep();
  const code = clean ? 0 : 1;
  if (once) return code;

  screen.say(farewellTo(setup.dashboardUrl));
  await new Promise((resolve) => over.addEventListener("abort", resolve));
  if (setup.broken.aborted) throw setup.broken.reason;
  return code;
}

/** The first time politely: everything is stopped and removed. The second time at once. */
function interrupt(): void {
  interruptedAt ??= performance.now();
  if (!interruption.signal.aborted) {
    interruption.abort(new Error("interrupted"));
    screen.keep();
    screen.say("\nStopping …");
  } else if (performance.now() - interruptedAt > echoMs) {
    const abandoned = runner?.abandon() ?? Promise.resolve();
    void abandoned.then(() => process.exit(interrupted));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
