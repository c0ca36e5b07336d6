import { meteredModel } from "@creditgate/ai";
import type { Denial } from "@creditgate/core";
import { withCredits } from "@creditgate/next";
import { agentId } from "../../billing.ts";
import { gate } from "../../gate.ts";
import { llm } from "../../model.ts";
import { longestAnswer, price, prices } from "../../prices.ts";
import { signedIn } from "../../session.ts";
import { guide } from "./guide.ts";
import { jsonLines } from "./json-lines.ts";

/** Holds one answer to begin with, and each further one before it is written. */
const paid = { customer: signedIn, agentId, indicator: "message", hold: price(longestAnswer) };
const waitMs = 5 * 60_000;

/** If the credits run out between two answers, the stream waits for a payment and goes on. */
export const POST = withCredits(gate, paid, (request, { credits }) =>
  jsonLines((send) => {
    const onPause = (denial: Denial): void => send({ denial });
    // Proxies close a stream that is silent.
    const onWait = (): void => send({});
    const model = meteredModel(llm, credits, { prices, pause: { waitMs, onPause, onWait } });
    return guide(request, model, (text) => send({ text }));
  }),
);
