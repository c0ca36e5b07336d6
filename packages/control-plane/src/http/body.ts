import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { RequestHandler } from "express";
import { errorCode } from "../errors/control-plane-error.ts";
import type { ByteBudget } from "./byte-budget.ts";
import { Problem } from "./problem.ts";
import { sourceOf } from "./source-address.ts";

const kibibyte = 1024;

/** A usage report has 300 bytes, and a top-up of a hundred currencies 10 kB. */
export const usualLimit: number = 16 * kibibyte;

const decoders: Readonly<
  Record<string, (body: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>>
> = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };

/** Reads the body of each request, up to a limit in bytes. */
export function jsonBody(budget: ByteBudget, limit: number = usualLimit): RequestHandler {
  return async (request, response, next) => {
    const by = response.locals.caller?.orgId ?? sourceOf(request.ip);
    request.body = await readJson(request, response, { budget, by, limit });
    next();
  };
}

export interface BodyBounds {
  readonly budget: ByteBudget;
  /** Whose part of the budget it takes: an organisation's, or that of an address. */
  readonly by: bigint | string;
  /** Bytes at most. */
  readonly limit: number;
}

/**
 * Reads a JSON body, of any JSON value: the schemas say which are right. What is too large or too much is refused from
 * the head of the request, before any of it is read. `undefined` where there is none.
 */
export async function readJson(
  request: IncomingMessage,
  response: ServerResponse,
  { budget, by, limit }: BodyBounds,
): Promise<unknown> {
  // Clients announce an empty body as well.
  if (!hasBody(request)) return undefined;
  // The client has gone while its key was looked up: no event would end the waiting, nor give the budget back.
  if (request.destroyed) throw cut();
  requireJson(request);
  const decode = decoderOf(request);
  const declared = Number(request.headers["content-length"] ?? Number.NaN);
  if (declared > limit) throw tooLarge(limit);
  const isKnown = decode === undefined && !Number.isNaN(declared);
  const giveBack = budget.take(by, isKnown ? declared : limit);
  response.once("close", giveBack);
  const received = await read(request, limit);
  const body = decode === undefined ? received : await decompress(decode, received, limit);
  return parseJson(body.toString("utf8"));
}

function hasBody({ headers }: IncomingMessage): boolean {
  if (headers["transfer-encoding"] !== undefined) return true;
  return Number(headers["content-length"] ?? 0) > 0;
}

/** A body that is not JSON would be read as none. */
function requireJson({ headers }: IncomingMessage): void {
  const type = headers["content-type"];
  const [media = "", ...parameters] = (type ?? "").toLowerCase().split(";");
  const charset = parameters.find((parameter) => parameter.trim().startsWith("charset="));
  const isUtf8 = charset === undefined || /^\s*charset="?utf-?8"?\s*$/.test(charset);
  if (media.trim() === "application/json" && isUtf8) return;
  throw unsupported("content-type", "application/json in UTF-8", type);
}

function decoderOf({ headers }: IncomingMessage) {
  const encoding = headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (encoding === "identity") return undefined;
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (decoder === undefined) throw unsupported("content-encoding", "gzip, deflate or br", encoding);
  return decoder;
}

function read(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= limit) return;
      // Left unread, so that the connection takes no more in.
      request.off("data", take);
      request.pause();
      reject(tooLarge(limit));
    };
    const end = () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    const fail = () => {
      // It also closes after its end, and an error that is made for nothing costs as much as all the rest here.
      if (!request.complete) reject(cut());
    };
    request.on("data", take);
    request.once("end", end);
    request.once("error", fail);
    request.once("close", fail);
  });
}

async function decompress(
  decode: (body: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>,
  body: Buffer,
  limit: number,
): Promise<Buffer> {
  try {
    return await decode(body, { maxOutputLength: limit });
  } catch (error) {
    if (errorCode(error) === "ERR_BUFFER_TOO_LARGE") throw tooLarge(limit);
    throw new Problem(
      400,
      "malformed_request",
      "body: expected what content-encoding says, received something else",
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const received = error instanceof Error ? error.message : String(error);
    throw new Problem(400, "malformed_json", `body: expected JSON, received: ${received}`);
  }
}

function cut(): Problem {
  return new Problem(400, "malformed_request", "body: expected all of it, received a part");
}

function tooLarge(limit: number): Problem {
  return new Problem(413, "body_too_large", `body: expected at most ${limit} bytes, received more`);
}

function unsupported(header: string, expected: string, received: string | undefined): Problem {
  const detail = `${header}: expected ${expected}, received ${received === undefined ? "none" : JSON.stringify(received)}`;
  return new Problem(415, "unsupported_media_type", detail);
}
