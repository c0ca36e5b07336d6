import { StreamableFile } from "@nestjs/common";

/** Called when a stream has been read to its end, or cancelled; with its error when it has failed. */
type Over = (error?: unknown) => void;

/** As much of Node's `Readable` as tells that it is over. */
interface NodeStream {
  once(event: "error" | "close", listener: Over): unknown;
}

/** Whether Nest sends the value of a handler as it comes. If so it tells `over`. */
export function isStreamed(value: unknown, over: Over): boolean {
  const source = sourceOf(value);
  if (source instanceof ReadableStream) whenRead(source, over);
  else if (isNodeStream(source)) {
    source.once("error", over);
    source.once("close", () => over());
  } else if (isIterator(source)) whenReturned(source, over);
  else return false;
  return true;
}

function sourceOf(value: unknown): unknown {
  if (value instanceof StreamableFile) return value.getStream();
  return value instanceof Response ? value.body : value;
}

/** Nest takes the reader. */
function whenRead(source: ReadableStream, over: Over): void {
  source.getReader = new Proxy(source.getReader, {
    apply(getReader, _source, options) {
      const reader = Reflect.apply(getReader, source, options);
      reader.closed.then(() => over(), over);
      return reader;
    },
  });
}

function isNodeStream(source: unknown): source is NodeStream {
  return typeof Object(source).pipe === "function";
}

/** A generator, or what iterates as one. */
function isIterator(source: unknown): source is AsyncIterator<unknown> & Required<AsyncIterator<unknown>> {
  const { next, return: end } = Object(source);
  return Symbol.asyncIterator in Object(source) && typeof next === "function" && typeof end === "function";
}

/** Nest reads it to its end, or returns it. */
function whenReturned(source: Required<AsyncIterator<unknown>>, over: Over): void {
  const { next, return: end } = source;
  source.next = async (...sent) => {
    try {
      const result = await Reflect.apply(next, source, sent);
      if (result.done === true) over();
      return result;
    } catch (error) {
      over(error);
      throw error;
    }
  };
  source.return = (value) => Reflect.apply(end, source, [value]).finally(over);
}
