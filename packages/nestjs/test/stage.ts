import type { AddressInfo } from "node:net";
import { createTestGate, type TestGate } from "@creditgate/core/testing";
import { CreditgateModule, type CreditgateModuleOptions } from "@creditgate/nestjs";
import { type DynamicModule, type INestApplication, Module, type Provider, type Type } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { afterEach } from "vitest";

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

export interface Stage extends TestGate {
  readonly module: (defaults?: Partial<CreditgateModuleOptions>) => DynamicModule;
  /** Resolves with the models that alice has been billed when so many pieces of work have been settled. */
  billed(settlements?: number): Promise<readonly unknown[]>;
}

export function createStage(credits = 10): Stage {
  const stage = createTestGate({ alice: credits }, { minRefreshMs: 0 });
  const heard: (() => void)[] = [];
  stage.gate.on("settled", () => {
    for (const hear of heard.splice(0)) hear();
  });
  return {
    ...stage,
    module: (defaults = {}) => CreditgateModule.forRoot({ gate: stage.gate, customer: "alice", ...defaults }),
    async billed(settlements = 1) {
      while (stage.told("settled").length < settlements) {
        await new Promise<void>((resolve) => heard.push(resolve));
      }
      const { billed } = await stage.outcome("alice");
      return billed.map(({ model }) => model);
    },
  };
}
