import type { CreditsOptions, Gate } from "@creditgate/core";
import {
  type DynamicModule,
  type FactoryProvider,
  Inject,
  Module,
  type ModuleMetadata,
  type OnApplicationShutdown,
} from "@nestjs/common";
import type { CreditsRequest } from "./entrance.ts";
import { optionsToken } from "./options-token.ts";

/** The token of the gate, for services that need it: `@Inject(GATE) gate: Gate`. */
export const GATE: unique symbol = Symbol("creditgate: the gate");

/** Options of `CreditgateModule.forRoot()`: the gate, and options of `@RequireCredits()` for the routes that do not give them. */
export interface CreditgateModuleOptions<Request = CreditsRequest> extends Partial<CreditsOptions<Request>> {
  /** The gate, as `createGate()` makes it. It is closed when the application has shut down. */
  readonly gate: Gate;
}

/** Options of `CreditgateModule.forRootAsync()`: a factory of those of `forRoot()`, and what is injected into it. */
export interface CreditgateModuleAsyncOptions<Request = CreditsRequest>
  extends Pick<ModuleMetadata, "imports">,
    Pick<FactoryProvider<CreditgateModuleOptions<Request>>, "inject" | "useFactory"> {}

/** The gate of an application, for the routes of all its modules. Closes the gate when the application has shut down. */
export class CreditgateModule implements OnApplicationShutdown {
  readonly #gate: Gate;

  /** For Nest to call. */
  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** Imported once, by the root module. */
  static forRoot<Request = CreditsRequest>(options: CreditgateModuleOptions<Request>): DynamicModule {
    return CreditgateModule.forRootAsync<Request>({ useFactory: () => options });
  }

  /** The same where the gate needs what Nest provides, such as a service of configuration. */
  static forRootAsync<Request = CreditsRequest>({
    imports = [],
    ...factory
  }: CreditgateModuleAsyncOptions<Request>): DynamicModule {
    const gate = { provide: GATE, inject: [optionsToken], useFactory: gateOf };
    return {
      module: CreditgateModule,
      global: true,
      imports,
      providers: [{ provide: optionsToken, ...factory }, gate],
      exports: [optionsToken, gate],
    };
  }

  /** Delivers what has been reported, as `gate.close()` does. */
  async onApplicationShutdown(): Promise<void> {
    await this.#gate.close();
  }
}

const gateOf = ({ gate }: CreditgateModuleOptions): Gate => gate;

// As decorators would: types are not emitted from this source, so each parameter names its token.
Module({})(CreditgateModule);
Inject(GATE)(CreditgateModule, undefined, 0);
