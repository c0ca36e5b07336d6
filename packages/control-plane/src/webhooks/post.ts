import { type LookupAddress, promises } from "node:dns";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { AddressRule } from "./address.ts";

/** What is sent. */
interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came back: an answer, or why there is none. */
export type Reply =
  | {
      readonly status: number;
      /** Its beginning. */
      readonly body: string;
      readonly headers: http.IncomingHttpHeaders;
    }
  | { readonly status: undefined; readonly error: string };

/** Why nothing is sent to a URL; `undefined` where something may be. */
export type UrlRule = (url: URL) => string | undefined;

export interface PostOptions {
  readonly mayConnect: AddressRule;
  readonly allowHttp: boolean;
  /** From the look-up of the name to the end of the answer, in milliseconds. */
  readonly timeoutMs: number;
  /** @default DNS */
  readonly resolve?: Resolve;
}

/** Posts a message; resolves whatever happens. */
export type Post = (message: Message, signal: AbortSignal) => Promise<Reply>;

/** Of an answer no more is read. */
const maxBytes = 16 * 1024;

/** Each message has a connection of its own, to an address that is checked as it is made. Redirects are not followed. */
export function createPost({ mayConnect, allowHttp, timeoutMs, resolve }: PostOptions): Post {
  const lookup = guardedLookup(mayConnect, resolve);
  const refusalOf = createUrlRule(mayConnect, allowHttp);
  return async (message, signal) => {
    const url = new URL(message.url);
    const refusal = refusalOf(url);
    if (refusal !== undefined) return { status: undefined, error: refusal };
    const ending = new AbortController();
    const end = (): void => ending.abort();
    const timer = setTimeout(end, timeoutMs);
    signal.addEventListener("abort", end);
    try {
      return await exchange(url, message, lookup, ending.signal);
    } catch (error) {
      const reason = error instanceof Error ? error.message || error.name : String(error);
      const late = ending.signal.aborted && !signal.aborted;
      return { status: undefined, error: late ? `no answer within ${timeoutMs / 1_000} s` : reason };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
    }
  };
}

/** Judges a URL without a lookup: a name is looked up on connection. An address is recognised in any notation. */
export function createUrlRule(mayConnect: AddressRule, allowHttp: boolean): UrlRule {
  return (url) => {
    if (url.protocol !== "https:" && !(allowHttp && url.protocol === "http:")) {
      return `expected https, received ${url.protocol.slice(0, -1)}; --webhook-http allows http`;
    }
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    if (isIP(host) === 0 || mayConnect(host)) return undefined;
    return refusedAddress(url.hostname, [{ address: host }]).message;
  };
}

function exchange(
  url: URL,
  { headers, body }: Message,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let fail = reject;
    const { request } = url.protocol === "https:" ? https : http;
    const sent = request(url, { method: "POST", headers, lookup, agent: false, signal }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      // The status is the answer. A body that does not end, or is cut off, changes nothing.
      const answered = (): void => {
        const text = Buffer.concat(chunks).subarray(0, maxBytes).toString("utf8");
        resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers });
        sent.destroy();
      };
      fail = answered;
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= maxBytes) answered();
      });
      response.on("end", answered);
      response.on("error", answered);
      response.on("close", answered);
    });
    sent.on("error", (error) => fail(error));
    // Such as an answer that changes the protocol: Node drops it, and says no more.
    sent.on("close", () => fail(new Error("closed without an answer")));
    sent.end(body);
  });
}

/** Finds the addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Asked over the network, without the threads that name resolution by the system would hold while a server is silent. */
const resolver = new promises.Resolver({ timeout: 2_000, tries: 2 });

/** Names with a dot are asked of DNS alone; others, as `localhost`, are the system's. */
const resolveName: Resolve = async (hostname) => {
  if (!hostname.includes(".")) return promises.lookup(hostname, { all: true });
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [
    ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length === 0 && four.status === "rejected") throw four.reason;
  return addresses;
};

/**
 * Looks a name up for the connection that is being made, and hands over only addresses that may be connected to. It is
 * asked at the moment of connecting: what the name was before says nothing of what it is now.
 */
function guardedLookup(mayConnect: AddressRule, resolve: Resolve = resolveName): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (found) => {
        const addresses = found.filter(({ address }) => mayConnect(address));
        const [first] = addresses;
        if (first === undefined) callback(refusedAddress(hostname, found), []);
        else if (all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
    );
  };
}

/** The error if no address may be connected to. */
function refusedAddress(hostname: string, found: readonly Pick<LookupAddress, "address">[]): Error {
  const received = found.map(({ address }) => address).join(", ") || "none";
  return new Error(
    `${hostname}: expected a public address, received ${received}; --webhook-networks allows others`,
  );
}
