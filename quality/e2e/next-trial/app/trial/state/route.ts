import type { NextRequest } from "next/server.js";
import { trialOf } from "../../../trial.ts";

const trial = trialOf((request: NextRequest, name) => request.headers.get(name));

export async function GET(request: NextRequest): Promise<Response> {
  return Response.json(await trial.state(request));
}
