interface Socket {
  prependListener(event: "error" | "close", listener: () => void): unknown;
  off(event: "error" | "close", listener: () => void): unknown;
}

/** One listener on a connection serves all of its pipelined responses: Node warns of more than ten. */
const listeners = new WeakMap<Socket, { readonly told: Set<() => void>; readonly close: () => void }>();

/** Calls `tell` when the connection fails or closes, before others hear of it; the returned function ends that. */
export function whenClosed(socket: Socket, tell: () => void): () => void {
  const { told, close } = listeners.get(socket) ?? listenOn(socket);
  told.add(tell);
  return () => {
    if (!told.delete(tell) || told.size > 0) return;
    socket.off("error", close);
    socket.off("close", close);
    listeners.delete(socket);
  };
}

function listenOn(socket: Socket) {
  const told = new Set<() => void>();
  const close = () => {
    for (const tell of told) tell();
  };
  const listener = { told, close };
  listeners.set(socket, listener);
  socket.prependListener("error", close);
  socket.prependListener("close", close);
  return listener;
}
