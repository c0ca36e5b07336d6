/** Silence, as files have it. */

export interface Wav {
  readonly seconds: number;
  readonly sampleRate?: number;
  readonly bytesPerSample?: number;
  readonly format?: number;
  /** Of the extensible format. */
  readonly subFormat?: number;
  /** What the head has instead. */
  readonly statedBytesPerSample?: number;
  readonly bits?: number;
  /** Between the name of the file and the format. */
  readonly before?: Uint8Array;
}

export function wav({
  seconds,
  sampleRate = 8_000,
  bytesPerSample = 2,
  format = 1,
  subFormat,
  statedBytesPerSample = bytesPerSample,
  bits = 8 * bytesPerSample,
  before,
}: Wav): Uint8Array {
  const length = subFormat === undefined ? 16 : 40;
  const head = new DataView(new ArrayBuffer(8 + length));
  writeText(head, 0, "fmt ");
  head.setUint32(4, length, true);
  head.setUint16(8, format, true);
  head.setUint16(10, 1, true);
  head.setUint32(12, sampleRate, true);
  // What decoders do not read: it says that the file is over in no time.
  head.setUint32(16, 0xffff_ffff, true);
  head.setUint16(20, statedBytesPerSample, true);
  head.setUint16(22, bits, true);
  if (subFormat !== undefined) {
    head.setUint16(24, 22, true);
    head.setUint16(32, subFormat, true);
  }
  const data = new Uint8Array(seconds * sampleRate * bytesPerSample);
  return joined(
    text("RIFF\0\0\0\0WAVE"),
    before ?? [],
    new Uint8Array(head.buffer),
    text("data\0\0\0\0"),
    data,
  );
}

/** A chunk that a reader of WAV has to pass, with the byte that makes its length even. */
export function wavChunk(name: string, length: number): Uint8Array {
  const chunk = new DataView(new ArrayBuffer(8 + length + (length % 2)));
  writeText(chunk, 0, name);
  chunk.setUint32(4, length, true);
  return new Uint8Array(chunk.buffer);
}

/** Frames of MPEG 1, layer III, at 48 kHz, 24 ms each; each has the bit rate of its number (9 is 128 kbit/s, 1 is 32). */
export function mp3(...rates: readonly number[]): Uint8Array {
  const kbits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
  const frames = rates.map((rate) => {
    const frame = new Uint8Array((kbits[rate] ?? 0) * 3);
    frame.set([0xff, 0xfb, (rate << 4) | 0b0100, 0]);
    return frame;
  });
  return joined(...frames);
}

export function joined(...parts: readonly ArrayLike<number>[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}

export function text(letters: string): Uint8Array {
  return new TextEncoder().encode(letters);
}

function writeText(view: DataView, at: number, letters: string): void {
  new Uint8Array(view.buffer).set(text(letters), at);
}
