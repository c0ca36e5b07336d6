import { parseArgs } from "node:util";

export interface DemoArguments {
  /** Exit when the demo is over, instead of staying up for the reader's own requests. */
  readonly once: boolean;
  readonly help: boolean;
}

export const usage = `npm run demo [-- options]

  --once   exit when it is over: 0 if Creditgate lost and overspent nothing, else 1
  --help   show this

With DATABASE_URL=postgres://... the control plane uses that PostgreSQL instead of one of its own.
`;

/** Reads the command line; throws an error that says what is wrong with it. */
export function readArguments(args: readonly string[]): DemoArguments {
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { once: flag, help: { ...flag, short: "h" } },
    allowPositionals: false,
  });
  return values;
}
