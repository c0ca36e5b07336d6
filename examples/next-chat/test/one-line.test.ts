import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { POST } from "./ungated-route.ts";

const text = (path: string) => readFile(new URL(path, import.meta.url), "utf8");
const lines = (source: string) => source.split("\n").filter((line) => line.startsWith("export"));

describe("the line that gates and bills the chat", () => {
  it("is the only one of the ungated route that has changed, and the README has it", async () => {
    const [gated] = lines(await text("../app/api/chat/route.ts"));
    expect(lines(await text("../app/api/chat/route.ts"))).toHaveLength(1);
    expect(lines(await text("./ungated-route.ts"))).toEqual([
      "export const POST = (req: Request): Promise<Response> => chat(req, llm);",
    ]);
    expect(gated).toContain("chat(req, meteredModel(llm, credits))");
    expect(await text("../README.md")).toContain(gated);
  });

  it("is in no other file: what answers knows nothing of credits", async () => {
    expect(await text("../app/api/chat/chat.ts")).not.toMatch(/creditgate|charge/);
  });

  it("is not needed for the chat to answer", async () => {
    const answer = await POST(new Request("http://chat", { method: "POST", body: "What is a credit?" }));
    expect((await answer.text()).trim().split(" ")).toHaveLength(50);
  });
});
