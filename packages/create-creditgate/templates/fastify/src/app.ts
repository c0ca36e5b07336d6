import { requireCredits } from "@creditgate/fastify";
import { type FastifyRequest, fastify } from "fastify";
import { answer, noQuestion, paid, questionIn } from "./chat.ts";
import { gate } from "./gate.ts";

// In your application: the customer of the verified session. Without one the answer is 401.
const customer = ({ headers }: FastifyRequest) => headers["x-customer"]?.toString();

export const app = fastify();

app.post(
  "/chat",
  requireCredits(gate, { ...paid, customer }, async ({ body, credits }, reply) => {
    const question = questionIn(body);
    if (question === undefined) return reply.code(400).send(noQuestion);
    return answer(question, credits).toTextStreamResponse();
  }),
);
