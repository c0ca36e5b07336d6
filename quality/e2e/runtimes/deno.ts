import { createEdgeApp } from "../adapters-web-app.ts";

declare const Deno: {
  readonly env: { get(name: string): string | undefined };
  serve(
    options: {
      readonly port: number;
      readonly hostname: string;
      onListen(address: { readonly port: number }): void;
      onError(): Response;
    },
    handle: (request: Request) => Promise<Response>,
  ): unknown;
};

const app = createEdgeApp(Deno.env.get("CONTROL_PLANE_URL") ?? "");
Deno.serve(
  {
    port: 0,
    hostname: "127.0.0.1",
    onListen: ({ port }) => console.log(`listening on http://127.0.0.1:${port}`),
    onError: () => new Response("the handler threw", { status: 500 }),
  },
  (request) => app(request),
);
