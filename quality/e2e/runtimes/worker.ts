import { createEdgeApp, createHonoApp, type ExecutionContext, type Fetch } from "../adapters-web-app.ts";

interface Environment {
  readonly CONTROL_PLANE_URL: string;
  readonly APP: string;
}

let app: Fetch | undefined;

// biome-ignore lint/style/noDefaultExport: Workers are started by it.
export default {
  fetch(
    request: Request,
    { CONTROL_PLANE_URL, APP }: Environment,
    context: ExecutionContext,
  ): Promise<Response> {
    const create = APP === "hono" ? createHonoApp : createEdgeApp;
    app ??= create(CONTROL_PLANE_URL, { onUndelivered: () => {} });
    return app(request, context);
  },
};
