import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** The way from the chats to the control plane, which can be closed: connections are then refused, and those open end. */
export class Gateway {
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  constructor(targetUrl: string) {
    this.#target = Number(new URL(targetUrl).port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Lets connections through; the address stays the same. */
  async open(): Promise<void> {
    this.#server = createServer((incoming) => this.#join(incoming)).listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (typeof address === "object" && address !== null) this.#port = address.port;
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #join(incoming: Socket): void {
    const outgoing = connect(this.#target, "127.0.0.1");
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      this.#sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }
}
