interface Socket {
  once(event: "close", listener: () => void): unknown;
  off(event: "close", listener: () => void): unknown;
}

/** One listener on a connection serves all of its pipelined responses: Node warns of more than ten. */
const listeners = new WeakMap<Socket, { readonly told: Set<() => void>; readonly close: () => void }>();

/** Calls `tell` when the connection closes; the returned function ends that. */
export function whenClosed(socket: Socket, tell: () => void): () => void {
  const { told, close } = listeners.get(socket) ?? listenOn(socket);
  told.add(tell);
  return () => {
    told.delete(tell);
    if (told.size > 0) return;
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
  socket.once("close", close);
  return listener;
}
