import { type Fields, fieldsOf, textOf } from "../usage/fields.ts";
import { audioLength } from "./audio-length.ts";

/** What a model reads of an image or a file, besides the image. */
export interface FileContent {
  /** Of a file of text. Of one in base64 each byte is a character. */
  readonly text: string;
  /** `undefined` for what is no PDF. */
  readonly pages: number | undefined;
  /** The pages that a PDF may have beyond those. */
  readonly hiddenPages: number;
  /** The most seconds of a recording. */
  readonly audioSeconds: number;
  readonly videoSeconds: number;
}

/** Of a medium as any provider or the AI SDK accepts it. What stands behind an address is not read. */
export function contentOf(medium: unknown): FileContent {
  let text = "";
  let pages: number | undefined;
  let mostPages = 0;
  let audioSeconds = 0;
  let videoSeconds = 0;
  for (const { type, data } of filesIn(medium)) {
    const size = typeof data === "string" ? data.length * 0.75 : data.length;
    if (isPdf(type, data)) {
      const found = pagesIn(latin1Of(data), size);
      pages = Math.max(pages ?? 0, found.pages);
      mostPages = Math.max(mostPages, found.most);
    } else if (isText.test(type)) text += textOfFile(data);
    else if (isAudio.test(type)) audioSeconds = Math.max(audioSeconds, audioLength(data) ?? 0);
    else if (isVideo.test(type)) videoSeconds = Math.max(videoSeconds, size / leastVideoBytesPerSecond);
  }
  return { text, pages, hiddenPages: Math.max(0, mostPages - (pages ?? 0)), audioSeconds, videoSeconds };
}

interface FileData {
  readonly type: string;
  /** Bytes, bytes in base64, or text. */
  readonly data: Uint8Array | string;
}

function* filesIn(medium: unknown, type = "", depth = 0): Generator<FileData> {
  if (typeof medium === "string") {
    const [, stated = type, data = medium] = dataUrl.exec(medium) ?? [];
    yield { type: stated, data };
  } else if (medium instanceof ArrayBuffer) yield { type, data: new Uint8Array(medium) };
  else if (medium instanceof Uint8Array) yield { type, data: medium };
  else if (depth <= 3) {
    const { filename: _, ...fields } = fieldsOf(medium) ?? {};
    const own = typeOf(fields) ?? type;
    for (const one of Object.values(fields)) yield* filesIn(one, own, depth + 1);
  }
}

const dataUrl = /^data:([^;,]{0,100})[^,]{0,100},([\s\S]*)$/;

function typeOf(fields: Fields): string | undefined {
  const { format } = fields;
  const stated = textOf(fields.mediaType ?? fields.mimeType ?? fields.mime_type ?? fields.media_type);
  // Of OpenAI's `input_audio`.
  return stated ?? (typeof format === "string" ? `audio/${format}` : undefined);
}

const isText = /^text\/|[/+](?:json|xml|yaml|javascript)(?:;|$)/i;
const isAudio = /^audio(?:\/|$)/i;
const isVideo = /^video(?:\/|$)/i;

/** 80 kbit/s, about what a recorded screen has. */
const leastVideoBytesPerSecond = 10_000;

function isPdf(type: string, data: Uint8Array | string): boolean {
  if (/^application\/pdf/i.test(type)) return true;
  if (typeof data === "string") return data.startsWith("JVBERi0");
  return new TextDecoder("latin1").decode(data.subarray(0, 4)) === "%PDF";
}

function latin1Of(data: Uint8Array | string): string {
  return typeof data === "string" ? atobOf(data) : new TextDecoder("latin1").decode(data);
}

function textOfFile(data: Uint8Array | string): string {
  return typeof data === "string" ? atobOf(data) || data : new TextDecoder().decode(data);
}

function atobOf(data: string): string {
  try {
    return atob(data);
  } catch {
    return "";
  }
}

/** For a file without a page count. Most files have more bytes per page. */
const bytesPerPage = 10_000;

/** The pages that can be seen, and the most that there may be: by its count, and by its bytes, since text may be compressed. */
function pagesIn(text: string, length: number): { readonly pages: number; readonly most: number } {
  // A name may have any of its letters as a number.
  const names = text.replace(/#([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  const written = names.match(/\/Type[\s\0]*\/Page(?![a-zA-Z])/g)?.length ?? 0;
  const byBytes = Math.ceil(length / bytesPerPage);
  let counted = 0;
  for (const [, count] of names.matchAll(/\/Count[\s\0]+(\d{1,9})/g))
    counted = Math.max(counted, Number(count));
  // Packed with other things, they cannot be seen.
  const isPacked = written === 0 || /\/ObjStm/.test(names);
  const pages = Math.max(written, isPacked ? byBytes : 0);
  return { pages, most: Math.max(pages, counted, byBytes) };
}
