interface Socket {
  prependListener(event: "error" | "close", listener: () => void): unknown;
  off(event: "error" | "close", listener: () => void): unknown;
}

/** One listener on a connection serves all of its pipelined responses: Node warns of more than ten. */
const listeners = new WeakMap<Socket, { readonly callbacks: Set<() => void>; readonly close: () => void }>();

/** Runs `callback` when the connection fails or closes, before other listeners. Returns the function that removes it. */
export function whenClosed(socket: Socket, callback: () => void): () => void {
  const { callbacks, close } = listeners.get(socket) ?? listenOn(socket);
  callbacks.add(callback);
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return;
    socket.off("error", close);
    socket.off("close", close);
    listeners.delete(socket);
  };
}

function listenOn(socket: Socket) {
  const callbacks = new Set<() => void>();
  const close = () => {
    for (const callback of callbacks) callback();
  };
  const listener = { callbacks, close };
  listeners.set(socket, listener);
  socket.prependListener("error", close);
  socket.prependListener("close", close);
  return listener;
}
