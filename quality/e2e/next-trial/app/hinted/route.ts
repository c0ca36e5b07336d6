import { adapterResponse } from "@creditgate/conformance";
import { withCredits } from "@creditgate/next";
import type { NextRequest } from "next/server.js";
import { trialOf } from "../../trial.ts";

const trial = trialOf((request: NextRequest, name) => request.headers.get(name));
const { gate, options } = trial.on("reported");

export const POST = withCredits(gate, options, async (request, { credits }) =>
  adapterResponse(await trial.work(request, credits, {})),
);
