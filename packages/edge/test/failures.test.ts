import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStage } from "./stage.ts";

const defaultUsage = { model: "default" };

describe("withCredits, of a handler", () => {
  beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
  afterEach(() => vi.restoreAllMocks());

  it.each([undefined, null, "text", 5, {}, { body: "text" }])(
    "that returns %j rejects with what was expected, and gives the hold back",
    async (returned) => {
      const { gated, outcome } = createStage();
      // As a program without types may do.
      const handler = () => returned as unknown as Response;
      for (const method of ["POST", "HEAD"]) {
        const answering = gated(handler, { defaultUsage })(new Request("https://app.example", { method }));
        await expect(answering).rejects.toMatchObject({
          code: "invalid_option",
          message: expect.stringMatching(/^handler: expected a Response, unread, received /),
        });
      }
      expect(await outcome()).toEqual({ settlements: 2, held: 0, billed: [] });
    },
  );

  it.each([
    ["has been read", (response: Response) => response.text()],
    [
      "has been read in part",
      async ({ body }: Response) => {
        const reader = body?.getReader();
        await reader?.read();
        reader?.releaseLock();
      },
    ],
    ["someone reads", async ({ body }: Response) => void body?.getReader()],
  ])("that returns a response which %s rejects, and gives the hold back", async (_how, use) => {
    const { gated, outcome } = createStage();
    const handle = gated(
      async () => {
        const response = new Response("text");
        await use(response);
        return response;
      },
      { defaultUsage },
    );
    await expect(handle()).rejects.toThrow(/unread|locked/);
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: [] });
  });

  it("that returns one response twice is served once; the other rejects, and gives its hold back", async () => {
    const { gated, outcome } = createStage();
    const cached = new Response("text");
    const handle = gated(() => cached, { defaultUsage });
    expect(await (await handle()).text()).toBe("text");
    await expect(handle()).rejects.toThrow("unread");
    expect(await outcome()).toEqual({ settlements: 2, held: 0, billed: ["default"] });
  });

  const failure = new TypeError("handler");
  it.each([failure, "a string", 0, null, undefined, { status: 418 }])(
    "that throws %j, at once or later, rejects with just that, and gives the hold back",
    async (thrown) => {
      const { gated, outcome } = createStage();
      const throwing = () => {
        throw thrown;
      };
      await expect(gated(throwing, { defaultUsage })()).rejects.toBe(thrown);
      await expect(gated(async () => throwing(), { defaultUsage })()).rejects.toBe(thrown);
      expect(await outcome()).toEqual({ settlements: 2, held: 0, billed: [] });
    },
  );

  it("that throws is billed what it had reported", async () => {
    const { gated, outcome } = createStage();
    const handle = gated((_request, credits) => {
      credits.report({ model: "m" });
      throw failure;
    });
    await expect(handle()).rejects.toBe(failure);
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
  });

  it.each(["customer", "agentId", "indicator", "hold", "skip"] as const)(
    "is not asked when the resolver of %s throws, at once or later: the promise rejects with that",
    async (option) => {
      const { gated, outcome } = createStage();
      const handler = vi.fn(() => new Response());
      const throwing = () => {
        throw failure;
      };
      await expect(gated(handler, { [option]: throwing })()).rejects.toBe(failure);
      await expect(gated(handler, { [option]: async () => throwing() })()).rejects.toBe(failure);
      expect(handler).not.toHaveBeenCalled();
      expect(await outcome()).toEqual({ settlements: 0, held: 0, billed: [] });
    },
  );

  it("is refused at once with options that cannot be right", () => {
    const { gated } = createStage();
    expect(() => gated(() => new Response(), { hold: 0 })).toThrow("hold: expected");
  });
});
