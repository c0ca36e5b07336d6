import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A message as it arrives. */
export interface Arrival {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: { readonly type: string; readonly data: Readonly<Record<string, unknown>> };
}

/** A status, with headers or without; `undefined` leaves the request hanging. */
type Reply =
  | number
  | undefined
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** What is answered, at once or later. */
export type Replying = (arrival: Arrival) => Reply | Promise<Reply>;

/** An endpoint of somebody who wants to be told. */
export interface Receiver {
  readonly url: string;
  /** All that has arrived, whatever was answered. */
  readonly arrivals: readonly Arrival[];
  /** From now on; what hangs goes on hanging. */
  reply(replying: Replying): void;
  /** Resolves when as many have arrived. */
  arrived(count: number): Promise<void>;
  /** Resolves when as many senders have closed their connections, having the answer or not. */
  left(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Listens on a free port, and answers 204. */
export async function openReceiver(): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  let replying: Replying = () => 204;
  let look = (): void => undefined;
  let gone = 0;
  let lookWhoLeft = (): void => undefined;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = Buffer.concat(await request.toArray()).toString("utf8");
    const headers = request.headers as Record<string, string>;
    const arrival = { id: headers["webhook-id"] ?? "", headers, text, body: JSON.parse(text) };
    arrivals.push(arrival);
    look();
    const reply = await replying(arrival);
    if (typeof reply === "number") response.writeHead(reply).end();
    else if (reply !== undefined) response.writeHead(reply.status, { ...reply.headers }).end();
  };
  const server = createServer((request, response) => void handle(request, response));
  server.on("connection", (socket) =>
    socket.on("close", () => {
      gone += 1;
      lookWhoLeft();
    }),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    arrivals,
    reply(next) {
      replying = next;
    },
    arrived: (count) =>
      new Promise((resolve) => {
        look = () => {
          if (arrivals.length >= count) resolve();
        };
        look();
      }),
    left: (count) =>
      new Promise((resolve) => {
        lookWhoLeft = () => {
          if (gone >= count) resolve();
        };
        lookWhoLeft();
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
