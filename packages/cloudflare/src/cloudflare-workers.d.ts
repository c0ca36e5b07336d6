// As much of it as is used. Users have the whole: from @cloudflare/workers-types, or `wrangler types`.
declare module "cloudflare:workers" {
  export class DurableObject<Environment = unknown> {
    protected ctx: unknown;
    protected env: Environment;
    constructor(ctx: unknown, env: Environment);
  }
}
