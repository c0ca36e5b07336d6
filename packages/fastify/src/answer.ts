import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/** What a handler answers. */
export class Answer {
  /** Whether the work has ended with the handler: it has sent no stream, and does not answer later. */
  isWhole = true;
  readonly #reply: FastifyReply;

  /** Sees what is sent on its way to `reply.send()`, which Fastify calls too for what a handler returns. */
  constructor(reply: FastifyReply) {
    this.#reply = reply;
    const { send } = reply;
    reply.send = (...[payload]) => send.call(reply, this.#watched(payload));
  }

  /** Whether the work has ended with the handler that has returned this, which Fastify sends after that. */
  isWholeWith(value: unknown): boolean {
    const body = bodyOf(value);
    return this.isWhole && !(body instanceof ReadableStream || isStream(body));
  }

  /** What the handler returns. Of a promise Fastify takes `undefined` for the answer, of a function it does not. */
  returned(value: unknown): unknown {
    if (value !== undefined) return value;
    this.isWhole = false;
    return this.#reply;
  }

  #watched(payload: unknown): unknown {
    const stream = this.#piped(payload);
    if (isStream(stream)) {
      if (this.#reply.request.method === "HEAD") return unread(stream);
      this.isWhole = false;
      const { raw } = this.#reply;
      // Fastify would break the reply off without a word of why, as if its client had left.
      stream.once("error", (error) => raw.headersSent && raw.destroy(error));
    }
    return stream;
  }

  /** A stream of the web is read by Fastify, which tells nothing of its end; one of Node is piped, and seen to close. */
  #piped(payload: unknown): unknown {
    const body = bodyOf(payload);
    if (!(body instanceof ReadableStream) || body.locked) return payload;
    if (payload instanceof Response) {
      this.#reply.code(payload.status);
      for (const [name, value] of payload.headers) this.#reply.header(name, value);
    }
    return Readable.fromWeb(body);
  }
}

function bodyOf(payload: unknown): unknown {
  return payload instanceof Response ? payload.body : payload;
}

/** Fastify would read it to its end behind an answer that is complete: a model would work on, unheld. */
function unread(stream: Readable): Readable {
  stream.once("error", () => {});
  stream.destroy();
  return Readable.from([]);
}

/** By what Fastify knows them: those of a package are no instances of Node's class. */
function isStream(payload: unknown): payload is Readable {
  return typeof Object(payload).pipe === "function";
}
