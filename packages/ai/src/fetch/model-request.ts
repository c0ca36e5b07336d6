import { type Fields, fieldsOf } from "../usage/fields.ts";

/** What `fetch` is called with. */
export type FetchInput = Parameters<typeof fetch>[0];
export type FetchInit = Parameters<typeof fetch>[1];

/** A request to a model, as far as metering must know it. */
export interface ModelRequest {
  readonly method: string;
  /** Without the query, and without a slash at its end. */
  readonly path: string;
  readonly signal: AbortSignal | undefined;
}

export function modelRequest(input: FetchInput, init: FetchInit): ModelRequest {
  const request = input instanceof Request ? input : undefined;
  const address = request?.url ?? String(input);
  return {
    method: (init?.method ?? request?.method ?? "GET").toUpperCase(),
    path: address.split(/[?#]/, 1).join().replace(/\/+$/, ""),
    signal: init?.signal ?? request?.signal ?? undefined,
  };
}

/** The same with a body that can be read and sent: a stream can be read once. */
export async function inWhole(init: FetchInit): Promise<FetchInit> {
  if (!(init?.body instanceof ReadableStream)) return init;
  return { ...init, body: await new Response(init.body).arrayBuffer() };
}

/** What is asked; empty where it is neither JSON nor a form. */
export async function bodyOf(input: FetchInput, init: FetchInit): Promise<Fields> {
  const body = init?.body ?? undefined;
  if (typeof body === "string") return parsed(body);
  if (body instanceof FormData) return Object.fromEntries(body);
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return parsed(new TextDecoder().decode(body));
  if (body instanceof Blob) return parsed(await body.text());
  if (body !== undefined || !(input instanceof Request) || input.bodyUsed) return {};
  // A copy: the request itself is still to be sent.
  const copy = input.clone();
  const isForm = /^multipart\//.test(copy.headers.get("content-type") ?? "");
  return isForm ? Object.fromEntries(await copy.formData()) : parsed(await copy.text());
}

function parsed(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}

/** What is asked, and the fields that are asked beside it. */
interface Asked {
  readonly request: Fields;
  readonly asking: Fields;
}

/** What is sent in its place: with the signal of the call, and with what is asked beside. */
export function sentInstead(
  input: FetchInput,
  init: FetchInit,
  signal: AbortSignal,
  asked: Asked | undefined,
): RequestInit {
  if (asked === undefined) return { ...init, signal };
  const body = withFields(init?.body, asked);
  const given = init?.headers ?? (input instanceof Request ? input.headers : undefined);
  if (given === undefined) return { ...init, signal, body };
  const headers = new Headers(given);
  // It is longer now.
  headers.delete("content-length");
  return { ...init, signal, body, headers };
}

/** A text is not written anew for fields that it has not: it may be long. */
function withFields(body: unknown, { request, asking }: Asked): string {
  const isNew = Object.keys(asking).every((name) => !(name in request));
  if (typeof body !== "string" || !isNew) return JSON.stringify({ ...request, ...asking });
  return `${body.slice(0, body.lastIndexOf("}"))},${JSON.stringify(asking).slice(1)}`;
}
