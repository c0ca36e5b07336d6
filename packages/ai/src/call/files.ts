import { type Fields, fieldsOf, textOf } from "../usage/fields.ts";

/** For a file without a page count. Most files have more bytes per page. */
const bytesPerPage = 10_000;

/** About the pages of a medium, as any provider or the AI SDK is given it; `undefined` where it is no PDF. */
export function pagesOf(medium: unknown, type = "", depth = 0): number | undefined {
  if (typeof medium === "string") {
    const [, stated = type, data = medium] = dataUrl.exec(medium) ?? [];
    return isPdf.test(stated) || data.startsWith("JVBERi0")
      ? pagesIn(atobOf(data), data.length * 0.75)
      : undefined;
  }
  const bytes = medium instanceof ArrayBuffer ? new Uint8Array(medium) : medium;
  if (bytes instanceof Uint8Array) {
    const latin1 = new TextDecoder("latin1");
    if (!isPdf.test(type) && latin1.decode(bytes.subarray(0, 4)) !== "%PDF") return undefined;
    return pagesIn(latin1.decode(bytes), bytes.length);
  }
  const fields = fieldsOf(medium) ?? {};
  const found =
    depth > 3 ? [] : Object.values(fields).map((one) => pagesOf(one, typeOf(fields) ?? type, depth + 1));
  return found.reduce((most, pages) => (pages === undefined ? most : Math.max(most ?? 0, pages)), undefined);
}

const isPdf = /^application\/pdf/;
const dataUrl = /^data:([^;,]{0,100})[^,]{0,100},([\s\S]*)$/;

function typeOf(fields: Fields): string | undefined {
  return textOf(fields.mediaType ?? fields.mimeType ?? fields.mime_type ?? fields.media_type);
}

/** The text of a file of text, whoever is given it; empty for others. Of one in base64 each byte is a character. */
export function fileText(medium: unknown, type = "", depth = 0): string {
  if (typeof medium === "string") {
    const [, stated = type, data = medium] = dataUrl.exec(medium) ?? [];
    return isText.test(stated) ? atobOf(data) || data : "";
  }
  const bytes = medium instanceof ArrayBuffer ? new Uint8Array(medium) : medium;
  if (bytes instanceof Uint8Array) return isText.test(type) ? new TextDecoder().decode(bytes) : "";
  if (depth > 3) return "";
  const fields = fieldsOf(medium) ?? {};
  const own = typeOf(fields) ?? type;
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
