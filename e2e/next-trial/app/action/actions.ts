"use server";

import { withCreditsAction } from "@creditgate/next";
import { trialOf } from "../../trial.ts";

type Headers = Readonly<Record<string, string>>;

const trial = trialOf(([headers]: readonly [Headers], name) => headers[name]);
const { gate, options } = trial.on("measured");

/** Does what the headers ask that it is given. */
export const act = withCreditsAction(gate, options, async ({ credits }, headers: Headers) => {
  const { signal } = new AbortController();
  return (await trial.work([headers], credits, { signal })).status;
});
