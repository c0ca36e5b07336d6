import { listen, overHttp2 } from "../adapters-http2.ts";
import { nodeAdapter } from "./node-adapter.ts";
import { webAdapter } from "./web-adapter.ts";

/** Adapters that are right, unless they are loaded with a core that is not. */
export const adapters = {
  node: nodeAdapter(),
  http2: { ...nodeAdapter({}, (listener) => listen(listener as never)), send: overHttp2.send },
  web: webAdapter(),
};
