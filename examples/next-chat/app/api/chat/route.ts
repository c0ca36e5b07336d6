import { meteredModel } from "@creditgate/ai";
import { withCredits } from "@creditgate/next";
import { agentId } from "../../billing.ts";
import { gate } from "../../gate.ts";
import { llm } from "../../model.ts";
import { longestAnswer, price } from "../../prices.ts";
import { signedIn } from "../../session.ts";
import { chat } from "./chat.ts";

/** The route does not run for a customer who cannot pay for the longest answer. */
const paid = { customer: signedIn, agentId, indicator: "message", hold: price(longestAnswer) };

export const POST = withCredits(gate, paid, (req, { credits }) => chat(req, meteredModel(llm, credits)));
