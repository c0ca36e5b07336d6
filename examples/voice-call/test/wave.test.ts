import { describe, expect, it } from "vitest";
import { makeWave, secondsOf } from "../src/wave.ts";

/** A chunk of a RIFF file. */
function chunk(name: string, body: readonly number[]): number[] {
  const padding = body.length % 2 === 1 ? [0] : [];
  return [...Buffer.from(name), body.length, 0, 0, 0, ...body, ...padding];
}

const riff = (...chunks: readonly number[][]) =>
  Uint8Array.from([...Buffer.from("RIFF"), 0, 0, 0, 0, ...Buffer.from("WAVE"), ...chunks.flat()]);
// 16 kHz, 16 bits, two channels: 64,000 bytes in a second.
const format = chunk("fmt ", [1, 0, 2, 0, 0x80, 0x3e, 0, 0, 0x00, 0xfa, 0, 0, 4, 0, 16, 0]);

describe("secondsOf", () => {
  it.each([0, 0.000_125, 1, 4.25])("is what makeWave was asked for: %d", (seconds) => {
    expect(secondsOf(makeWave(seconds))).toBe(seconds);
  });

  it("goes by the header of any format, whatever stands between the chunks", () => {
    const data = chunk("data", Array(64).fill(0));
    expect(secondsOf(riff(format, data))).toBe(0.001);
    expect(secondsOf(riff(chunk("LIST", [1, 2, 3]), format, chunk("fact", [1, 2]), data))).toBe(0.001);
  });

  it("reads a file that is a part of a larger buffer", () => {
    const file = makeWave(2);
    const larger = new Uint8Array(file.length + 10);
    larger.set(file, 5);
    expect(secondsOf(larger.subarray(5, 5 + file.length))).toBe(2);
  });

  it.each([
    ["RIFF and WAVE", new Uint8Array(0)],
    ["RIFF and WAVE", Uint8Array.from(Buffer.from("OggS, which is another format"))],
    ["a format before its data", riff(chunk("data", [0, 0]))],
    ["data", riff(format)],
    ["data", riff(format).subarray(0, 20)],
  ])("refuses a file without %s", (missing, file) => {
    expect(() => secondsOf(file)).toThrow(`WAV file: expected ${missing}, received a file without`);
  });
});
