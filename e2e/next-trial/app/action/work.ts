import type { Charge } from "@creditgate/core";
import { trialOf } from "../../trial.ts";

export type Headers = Readonly<Record<string, string>>;

export const trial = trialOf(([headers]: readonly [Headers], name) => headers[name]);

/** Does what the headers ask that it is given. Not beside "use server": Next 14 would make it an action itself. */
export async function work({ credits }: { readonly credits: Charge }, headers: Headers): Promise<number> {
  return (await trial.work([headers], credits, {})).status;
}
