import { parseArgs } from "node:util";

export interface DemoArguments {
  /** Exit when the demo is over, instead of staying up for the reader's own requests. */
  readonly once: boolean;
  readonly help: boolean;
  /** How many processes the chat of Creditgate has. */
  readonly processes: number;
}

export const usage = `npm run demo [-- options]

  --once          exit when it is over: 0 if Creditgate lost and overspent nothing, else 1
  --processes N   the chat of Creditgate is a cluster of N processes, 1 to 16, on one ledger in PostgreSQL
  --help          show this

With DATABASE_URL=postgres://... the control plane uses that PostgreSQL instead of one of its own.
`;

/** Reads the command line; throws an error that names a wrong option. */
export function readArguments(args: readonly string[]): DemoArguments {
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { once: flag, help: { ...flag, short: "h" }, processes: { type: "string", default: "1" } },
    allowPositionals: false,
  });
  const processes = /^\d{1,2}$/.test(values.processes) ? Number(values.processes) : 0;
  if (processes >= 1 && processes <= 16) return { ...values, processes };
  throw new Error(`--processes: expected a number from 1 to 16, received ${values.processes}`);
}
