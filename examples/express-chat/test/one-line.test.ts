import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createStandInModel } from "../src/stand-in-model.ts";
import { serve } from "./local-server.ts";
import { createUngatedApp } from "./ungated-app.ts";

const text = (path: string) => readFile(new URL(path, import.meta.url), "utf8");
const bodyOf = (source: string) => source.slice(source.indexOf("const app = express()")).split("\n");

describe("the line that gates and bills the chat", () => {
  it("is the only one of the ungated chat that has changed, and the README has it", async () => {
    const [gated, ungated] = [bodyOf(await text("../src/app.ts")), bodyOf(await text("./ungated-app.ts"))];
    const changed = ungated.filter((line) => !gated.includes(line));
    expect(changed).toEqual(["  const route: RequestHandler = (req, res) => chat(req, res, llm);"]);
    const [line = "none", ...others] = gated.filter((line) => line.includes("chat(req, res,"));
    expect(others).toEqual([]);
    for (const readme of ["../README.md", "../../../packages/ai/README.md"]) {
      expect(await text(readme)).toContain(line.trim());
    }
  });

  it("is in no other file: what answers knows nothing of credits", async () => {
    expect(await text("../src/chat.ts")).not.toMatch(/creditgate|charge/);
  });

  it("is not needed for the chat to answer", async () => {
    const url = await serve(createUngatedApp({ llm: createStandInModel({ pause: async () => {} }) }));
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ message: "Explain credits in 40 words" });
    const response = await fetch(`${url}/chat`, { method: "POST", headers, body });
    expect((await response.text()).trim().split(" ")).toHaveLength(40);
  });
});
