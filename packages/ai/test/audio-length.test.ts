import { describe, expect, it } from "vitest";
import { audioLength } from "../src/call/audio-length.ts";
import { joined, mp3, text, wav, wavChunk } from "./recordings.ts";

const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

/** IMA ADPCM, as its sub-format only has it: blocks of 256 bytes that the head could be taken to have for each sample. */
const ima = (seconds: number) =>
  wav({
    seconds,
    format: 0xfffe,
    subFormat: 0x11,
    sampleRate: 2_000,
    bytesPerSample: 1,
    statedBytesPerSample: 256,
  });

describe("audioLength", () => {
  it.each([
    ["of 16 bit", wav({ seconds: 2 })],
    ["of 24 bit, at 44.1 kHz", wav({ seconds: 2, sampleRate: 44_100, bytesPerSample: 3 })],
    ["of \u00b5-law", wav({ seconds: 2, bytesPerSample: 1, format: 7 })],
    ["with something before its format", wav({ seconds: 2, before: wavChunk("JUNK", 28) })],
    ["with an odd number of bytes before it", wav({ seconds: 2, before: wavChunk("LIST", 7) })],
    ["of the extensible format", wav({ seconds: 2, format: 0xfffe, subFormat: 1 })],
    ["whose samples are larger by its head", wav({ seconds: 2, statedBytesPerSample: 65_535 })],
  ])("tells the length of a WAV %s", (_, file) => {
    expect(audioLength(file)).toBeCloseTo(2, 1);
  });

  it("tells the length of an MP3, whether its bit rate changes or not", () => {
    expect(audioLength(mp3(...times(100, 9)))).toBeCloseTo(2.4, 6);
    expect(audioLength(mp3(...times(50, 9), ...times(50, 1)))).toBeCloseTo(2.4, 6);
  });

  it("leaves out the tag before the first frame of an MP3", () => {
    const tag = joined(text("ID3"), [4, 0, 0, 0, 0, 2, 0], new Uint8Array(256));
    expect(audioLength(joined(tag, mp3(...times(100, 9))))).toBeCloseTo(2.4, 6);
  });

  it("is not deceived by what an MP3 says no more after a gap", () => {
    const file = joined(mp3(9, 9), [0, 0], mp3(...times(1_000, 1)));
    expect(audioLength(file)).toBeGreaterThan(24);
  });

  it("reads base64 as the bytes it stands for", () => {
    const file = wav({ seconds: 1 });
    expect(audioLength(btoa(String.fromCharCode(...file)))).toBe(audioLength(file));
  });

  it.each([
    ["bytes of no known format", new Uint8Array(20_000)],
    ["a WAV of a compressed format", wav({ seconds: 10, format: 2, sampleRate: 2_000, bytesPerSample: 1 })],
    ["a WAV of the extensible format that is compressed", ima(10)],
    ["a WAV whose head has no samples", wav({ seconds: 10, sampleRate: 2_000, bytesPerSample: 1, bits: 0 })],
    ["a WAV that is cut off in its head", joined(text("RIFF\0\0\0\0WAVE"), new Uint8Array(19_988))],
    ["a WAV without samples a second", joined(wav({ seconds: 0, sampleRate: 0 }), new Uint8Array(19_956))],
    ["AAC, which begins much as an MP3 does", joined([0xff, 0xf1, 0x94, 0], new Uint8Array(19_996))],
  ])("takes 2,000 bytes of %s for a second", (_, file) => {
    expect(audioLength(file)).toBeCloseTo(10, 1);
  });

  it.each([[undefined], [{}], [new ReadableStream()], ["not base64!"]])("cannot tell of %s", (audio) => {
    expect(audioLength(audio)).toBeUndefined();
  });
});
