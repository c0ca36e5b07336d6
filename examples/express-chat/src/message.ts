import { BadMessage } from "./problem.ts";

const longestMessage = 4_000;

/** The message in the body of a request; throws `BadMessage` if there is none. */
export function messageOf(body: unknown): string {
  const message = typeof body === "object" && body !== null && "message" in body ? body.message : undefined;
  if (typeof message === "string" && message.trim() !== "" && message.length <= longestMessage)
    return message;
  throw new BadMessage(
    `expected {"message": "…"} as application/json, with 1 to ${longestMessage} characters of text`,
  );
}
