import { chat } from "../app/api/chat/chat.ts";
import { llm } from "../app/model.ts";

/** The route as it was before it had a gate. */
export const POST = (req: Request): Promise<Response> => chat(req, llm);
