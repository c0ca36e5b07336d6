import express, { type Express, type RequestHandler } from "express";
import { chat } from "../src/chat.ts";
import type { ChatModel } from "../src/model.ts";
import { answerError } from "../src/problem.ts";

/** The chat of `src/app.ts` as it was before it had a gate. */
export function createUngatedApp({ llm }: { readonly llm: ChatModel }): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(express.json({ limit: "16kb" }));

  const route: RequestHandler = (req, res) => chat(req, res, llm);
  app.post("/chat", route);

  app.use(answerError);
  return app;
}
