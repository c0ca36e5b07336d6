import { connect, type Socket } from "node:net";

/** One connection of a client that reads just as much of HTTP as it must; it is opened again where the service ends it. */
export interface SocketClient {
  /** Resolves the status; 0 where the connection ended without an answer. */
  send(request: string): Promise<number>;
  close(): void;
}

export function createSocketClient(url: string): SocketClient {
  const { hostname, port } = new URL(url);
  let socket: Socket | undefined;

  const open = (): Socket => {
    const opened = connect({ host: hostname, port: Number(port), noDelay: true });
    opened.setEncoding("latin1");
    opened.on("error", () => undefined);
    return opened;
  };

  return {
    send(request) {
      socket ??= open();
      const used = socket;
      return new Promise((resolve) => {
        let received = "";
        const end = (status: number, isOver: boolean): void => {
          used.removeAllListeners("data").removeAllListeners("close");
          if (isOver) {
            used.destroy();
            socket = undefined;
          }
          resolve(status);
        };
        used.on("data", (chunk: string) => {
          received += chunk;
          const head = received.indexOf("\r\n\r\n");
          const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN);
          if (head < 0 || received.length < head + 4 + length) return;
          end(Number(received.slice(9, 12)), /\r\nconnection: close\r\n/i.test(received));
        });
        used.on("close", () => end(0, true));
        used.write(request);
      });
    },
    close: () => socket?.destroy(),
  };
}
