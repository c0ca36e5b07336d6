import type { Charge } from "@creditgate/core";
import { withCredits } from "@creditgate/next";
import { answer, noQuestion, paid, questionIn } from "../../../chat.ts";
import { gate } from "../../../gate.ts";

// In your application: the customer of the verified session. Without one the answer is 401.
const customer = (request: Request) => request.headers.get("x-customer") ?? undefined;

export const POST = withCredits(
  gate,
  { ...paid, customer },
  async (request: Request, { credits }: { credits: Charge }) => {
    const question = questionIn(await request.json().catch(() => undefined));
    if (question === undefined) return Response.json(noQuestion, { status: 400 });
    return answer(question, credits).toTextStreamResponse();
  },
);
