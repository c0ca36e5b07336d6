import type { AddressInfo } from "node:net";
import { CreditgateModule, type CreditgateModuleOptions } from "@creditgate/nestjs";
import { type DynamicModule, type INestApplication, Module, type Provider, type Type } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { afterEach } from "vitest";
import { type BilledStage, createBilledStage } from "../../core/test/billed-stage.ts";

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

export type Platform = "Express" | "Fastify";

/** An application with these controllers, until the test is over. */
export async function start(
  platform: Platform,
  creditgate: DynamicModule,
  controllers: Type[],
  providers: Provider[] = [],
): Promise<{ readonly app: INestApplication; readonly url: string }> {
  class App {}
  Module({ imports: [creditgate], controllers, providers })(App);
  const options = { logger: false, abortOnError: false, forceCloseConnections: true } as const;
  const app =
    platform === "Express"
      ? await NestFactory.create(App, options)
      : await NestFactory.create(App, new FastifyAdapter({ forceCloseConnections: true }), options);
  endings.push(() => app.close());
  await app.listen(0, "127.0.0.1");
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, url: `http://127.0.0.1:${port}` };
}

export interface Stage extends BilledStage {
  readonly module: (defaults?: Partial<CreditgateModuleOptions>) => DynamicModule;
}

export function createStage(credits = 10): Stage {
  const stage = createBilledStage(credits);
  return {
    ...stage,
    module: (defaults = {}) => CreditgateModule.forRoot({ gate: stage.gate, customer: "alice", ...defaults }),
  };
}
