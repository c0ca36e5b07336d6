/** Silence, as files have it. */

export interface Wav {
  readonly seconds: number;
  readonly sampleRate?: number;
  readonly bytesPerSample?: number;
  readonly format?: number;
  /** Between the name of the file and the format. */
  readonly before?: Uint8Array;
}

export function wav({
  seconds,
  sampleRate = 8_000,
  bytesPerSample = 2,
  format = 1,
  before,
}: Wav): Uint8Array {
  const head = new DataView(new ArrayBuffer(32));
  writeText(head, 0, "fmt ");
  head.setUint32(4, 16, true);
  head.setUint16(8, format, true);
  head.setUint16(10, 1, true);
  head.setUint32(12, sampleRate, true);
  // What decoders do not read: it says that the file is over in no time.
  head.setUint32(16, 0xffff_ffff, true);
  head.setUint16(20, bytesPerSample, true);
  head.setUint16(22, 8 * bytesPerSample, true);
  writeText(head, 24, "data");
  const parts = [text("RIFF\0\0\0\0WAVE"), before ?? [], new Uint8Array(head.buffer)];
  return joined(...parts, new Uint8Array(seconds * sampleRate * bytesPerSample));
}

/** A chunk that a reader of WAV has to pass. */
export function wavChunk(name: string, length: number): Uint8Array {
  const chunk = new DataView(new ArrayBuffer(8 + length));
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
