import { fieldsOf, textOf } from "../usage/fields.ts";

/** Of a file that does not say how many pages it has: most have more bytes for each. */
const bytesPerPage = 10_000;

/** About the pages of a medium, as any provider or the AI SDK is given it; `undefined` where it is no PDF. */
export function pagesOf(medium: unknown, depth = 0): number | undefined {
  if (typeof medium === "string") {
    const data = /^(?:data:[^,]{0,100},)?(JVBERi0[\s\S]*)$/.exec(medium)?.[1];
    return data === undefined ? undefined : pagesIn(atobOf(data), data.length * 0.75);
  }
  const bytes = medium instanceof ArrayBuffer ? new Uint8Array(medium) : medium;
  if (bytes instanceof Uint8Array) {
    if (bytes[0] !== 0x25 || bytes[1] !== 0x50 || bytes[2] !== 0x44 || bytes[3] !== 0x46) return undefined;
    return pagesIn(new TextDecoder("latin1").decode(bytes), bytes.length);
  }
  if (depth > 3) return undefined;
  for (const value of Object.values(fieldsOf(medium) ?? {})) {
    const pages = pagesOf(value, depth + 1);
    if (pages !== undefined) return pages;
  }
  return undefined;
}

/** The text of a file of text, whoever is given it; empty for others. Of one in base64 each byte is a character. */
export function fileText(medium: unknown, type = "", depth = 0): string {
  if (typeof medium === "string") {
    const [, stated = type, data = medium] = /^data:([^;,]{0,100})[^,]{0,100},([\s\S]*)$/.exec(medium) ?? [];
    return isText.test(stated) ? atobOf(data) || data : "";
  }
  const bytes = medium instanceof ArrayBuffer ? new Uint8Array(medium) : medium;
  if (bytes instanceof Uint8Array) return isText.test(type) ? new TextDecoder().decode(bytes) : "";
  if (depth > 3) return "";
  const fields = fieldsOf(medium) ?? {};
  const own = textOf(fields.mediaType ?? fields.mimeType ?? fields.mime_type ?? fields.media_type) ?? type;
  const { filename: _, ...rest } = fields;
  return Object.values(rest)
    .map((value) => fileText(value, own, depth + 1))
    .join("");
}

const isText = /^text\/|[/+](?:json|xml|yaml|javascript)$/;

function atobOf(data: string): string {
  try {
    return atob(data);
  } catch {
    return "";
  }
}

/** Its pages stand in it one by one, unless they are packed with other things. */
function pagesIn(text: string, length: number): number {
  const written = text.match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length ?? 0;
  const isPacked = written === 0 || /\/ObjStm/.test(text);
  return Math.max(written, isPacked ? Math.ceil(length / bytesPerPage) : 0);
}
