import { createEdgeApp } from "../adapters-web-app.ts";

declare const Bun: {
  readonly env: Readonly<Record<string, string>>;
  serve(options: {
    readonly port: number;
    readonly hostname: string;
    readonly idleTimeout: number;
    fetch(request: Request): Promise<Response>;
    error(): Response;
  }): { readonly url: URL };
};

const app = createEdgeApp(Bun.env.CONTROL_PLANE_URL ?? "");
const { url } = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  fetch: (request) => app(request),
  error: () => new Response("the handler threw", { status: 500 }),
});
console.log(`listening on ${url.origin}`);
