import { describe, expect, it } from "vitest";
import { serverSentEvents } from "../src/server-sent-events.ts";

async function dataOf(...chunks: readonly Uint8Array[]): Promise<string[]> {
  const data: string[] = [];
  for await (const one of serverSentEvents(stream(chunks))) data.push(one);
  return data;
}

async function* stream(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("serverSentEvents", () => {
  it.each(["\n", "\r\n", "\r"])("reads events that lines ended by %j make", async (end) => {
    const text = ["data: one", "", ": a comment", "event: named", "data:two", "data: lines", "", ""].join(
      end,
    );

    expect(await dataOf(bytesOf(`${text}x`))).toEqual(["one", "two\nlines"]);
  });

  it("does not depend on where the bytes are cut", async () => {
    const bytes = bytesOf("data: Grüße 👋\r\n\r\ndata: [DONE]\r\n\r\n");

    for (let at = 0; at <= bytes.length; at++) {
      expect(await dataOf(bytes.slice(0, at), bytes.slice(at))).toEqual(["Grüße 👋", "[DONE]"]);
    }
    expect(await dataOf(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(["Grüße 👋", "[DONE]"]);
  });

  it("drops an event that never ends", async () => {
    expect(await dataOf(bytesOf("data: whole\n\ndata: half"))).toEqual(["whole"]);
  });
});
