import { inflateSync } from "node:zlib";

/** What is on paper. */
export interface PdfText {
  readonly title: string;
  /** The text of each page, in the order in which it is drawn. */
  readonly pages: readonly string[];
}

/** Reads the text of a PDF as Chromium writes it: objects that are not packed, and fonts that tell what their glyphs mean. */
export function readPdf(pdf: Uint8Array): PdfText {
  const objects = objectsOf(Buffer.from(pdf));
  const pages = [...objects.values()]
    .filter(({ head }) => /\/Type \/Page\b/.test(head))
    .map(({ head }) => {
      const content = objects.get(Number(/\/Contents (\d+) 0 R/.exec(head)?.[1]))?.stream ?? "";
      return textOf(content, (font) => meaningsOf(objects, font)).replaceAll(/\s+/g, " ");
    });
  const titles = [...objects.values()].flatMap(
    ({ head }) => /\/Title (\(.*\)|<[\dA-Fa-f]+>)/.exec(head)?.[1] ?? [],
  );
  return { title: titleOf(titles[0] ?? ""), pages };
}

interface PdfObject {
  readonly head: string;
  readonly stream: string;
}

function objectsOf(pdf: Buffer): ReadonlyMap<number, PdfObject> {
  const text = pdf.toString("latin1");
  const objects = new Map<number, PdfObject>();
  for (const match of text.matchAll(/(?<=^|\n)(\d+) 0 obj\b([\s\S]*?)(?:stream\r?\n|endobj)/g)) {
    const [whole, number, head = ""] = match;
    const begin = match.index + whole.length;
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
    const isText = whole.endsWith("stream\n") && !/\/Subtype \/Image|\/Length1/.test(head);
    const data = pdf.subarray(begin, begin + length);
    const stream = isText ? (head.includes("/FlateDecode") ? inflateSync(data) : data) : Buffer.alloc(0);
    objects.set(Number(number), { head, stream: stream.toString("latin1") });
  }
  return objects;
}

type Meanings = ReadonlyMap<string, string>;

/** Chromium names a font by the number of its object. */
function meaningsOf(objects: ReadonlyMap<number, PdfObject>, font: number): Meanings {
  const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font)?.head ?? "")?.[1];
  const text = objects.get(Number(map))?.stream ?? "";
  const meanings = new Map<string, string>();
  for (const [, block = ""] of text.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, glyph = "", meaning = ""] of block.matchAll(/<(\w+)> <(\w+)>/g))
      meanings.set(glyph.toUpperCase(), utf16(meaning));
  for (const [, block = ""] of text.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, first = "", last = "", meaning = ""] of block.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g))
      for (let offset = 0; offset <= Number.parseInt(last, 16) - Number.parseInt(first, 16); offset += 1)
        meanings.set(
          hex(Number.parseInt(first, 16) + offset, first.length),
          utf16(hex(Number.parseInt(meaning, 16) + offset, meaning.length)),
        );
  return meanings;
}

function textOf(content: string, meaningsBy: (font: number) => Meanings): string {
  let meanings: Meanings = new Map();
  let text = "";
  for (const [token, font, glyphs] of content.matchAll(/\/F(\d+) \S+ Tf|<([\dA-Fa-f]+)>|\bET\b/g)) {
    if (token === "ET") text += " ";
    else if (font !== undefined) meanings = meaningsBy(Number(font));
    else
      for (const [glyph] of (glyphs ?? "").matchAll(/.{4}/g)) text += meanings.get(glyph.toUpperCase()) ?? "";
  }
  return text;
}

function titleOf(written: string): string {
  return written.startsWith("<") ? utf16(written.slice(1, -1)).replace("\ufeff", "") : written.slice(1, -1);
}

function utf16(digits: string): string {
  return Buffer.from(digits, "hex").swap16().toString("utf16le");
}

function hex(value: number, length: number): string {
  return value.toString(16).toUpperCase().padStart(length, "0");
}
