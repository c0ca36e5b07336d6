import { creditsProxy } from "@creditgate/next";
import type { NextRequest } from "next/server.js";
import { trialOf } from "./trial.ts";

const trial = trialOf((request: NextRequest, name) => request.headers.get(name));
const { gate, options } = trial.on("reported");
const hint = creditsProxy(gate, options);

export async function proxy(request: NextRequest): Promise<Response | undefined> {
  const answer = await hint(request);
  answer?.headers.set("x-answered-by", "proxy");
  return answer;
}

export const config = { matcher: "/hinted" };
