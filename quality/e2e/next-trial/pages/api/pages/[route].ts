import { writeAdapterAnswer } from "@creditgate/conformance";
import { withCredits } from "@creditgate/next/pages";
import type { NextApiRequest, NextApiResponse } from "next";
import { eachRoute, trialOf } from "../../../trial.ts";

const trial = trialOf(({ headers }: NextApiRequest, name) => headers[name]?.toString());
const handlers = eachRoute((route) => {
  const { gate, options } = trial.on(route);
  return withCredits(gate, options, async (request, response, { credits }) => {
    await writeAdapterAnswer(await trial.work(request, credits, {}), response);
  });
});

// biome-ignore lint/style/noDefaultExport: Next reads it.
export default async function handle(request: NextApiRequest, response: NextApiResponse): Promise<void> {
  const route = String(request.query.route);
  if (route === "state") return void response.json(await trial.state(request));
  const handler = handlers.get(route);
  if (handler === undefined) return void response.status(404).end();
  const another = trial.another(request);
  another?.early?.then(() => response.status(another.status).end("another"));
  try {
    await handler(request, response);
  } catch (error) {
    const status = request.headers["x-error-status"];
    if (status === undefined) throw error;
    response.status(Number(status)).end("the handler threw");
  }
}
