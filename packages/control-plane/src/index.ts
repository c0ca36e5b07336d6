export type { Clock } from "./clock.ts";
export { ControlPlaneError, type ControlPlaneErrorCode } from "./control-plane-error.ts";
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from "./database/embedded/embedded-postgres.ts";
export type {
  Fixture,
  FixtureAgent,
  FixtureCustomer,
  FixtureIndicator,
  FixtureModelPrice,
  FixturePrice,
  FixtureRates,
  FixtureWallet,
} from "./fixture/fixture.ts";
export { parseFixture } from "./fixture/schema.ts";
export { type RunningServer, type ServerOptions, startServer } from "./server.ts";
export { type RunningWorker, startWorker, type WorkerOptions } from "./worker.ts";
