import { describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";

describe("readConfig", () => {
  it("uses the stand-in, and the gate's own lag, when nothing is set", () => {
    expect(readConfig({})).toEqual({
      port: 3_000,
      settlementLagMs: 10_000,
      openAi: undefined,
      outboxFile: undefined,
      durableHolds: false,
      paymentWebhookSecret: undefined,
    });
  });

  it("uses the endpoint when it has a key, which is OpenAI's own where no other is named", () => {
    const environment = { OPENAI_BASE_URL: "http://127.0.0.1:11434/v1", OPENAI_API_KEY: "sk-test" };

    expect(readConfig({ ...environment, OPENAI_MODEL: "llama3" }).openAi).toEqual({
      baseUrl: "http://127.0.0.1:11434/v1",
      apiKey: "sk-test",
      model: "llama3",
    });
    expect(readConfig({ ...environment, OPENAI_API_KEY: "" }).openAi).toBeUndefined();
    const { openAi } = readConfig({ OPENAI_API_KEY: "sk-test" });
    expect(openAi).toEqual({ baseUrl: undefined, apiKey: "sk-test", model: "gpt-4o-mini" });
  });

  it.each(["x", "-1", "3000.5", "65536"])("refuses PORT=%s, and says what it expects", (port) => {
    expect(() => readConfig({ PORT: port })).toThrow(
      `PORT: expected a whole number from 0 to 65535, received "${port}"`,
    );
  });
});
