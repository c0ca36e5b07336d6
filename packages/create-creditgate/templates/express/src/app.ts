import { requireCredits } from "@creditgate/express";
import express, { type Request } from "express";
import { answer, noQuestion, paid, questionIn } from "./chat.ts";
import { gate } from "./gate.ts";

// In your application: the customer of the verified session. Without one the answer is 401.
const customer = (req: Request) => req.get("x-customer");

export const app = express();
app.use(express.json());

app.post(
  "/chat",
  requireCredits(gate, { ...paid, customer }, (req, res) => {
    const question = questionIn(req.body);
    if (question === undefined) res.status(400).json(noQuestion);
    else answer(question, req.credits).pipeTextStreamToResponse(res);
  }),
);
