export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from "./database/embedded/embedded-postgres.ts";
export { ControlPlaneError, type ControlPlaneErrorCode } from "./errors/control-plane-error.ts";
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
export { parseFixture } from "./fixture/fixture.ts";
export type { ServedRequest } from "./http/served-request.ts";
export type { JoinRule, OidcOptions } from "./people/open-id-connect.ts";
export type { PeopleOptions } from "./people/people.ts";
export { type RunningServer, type ServerOptions, startServer } from "./server/server.ts";
export { type RunningWorker, startWorker, type WorkerOptions } from "./server/worker.ts";
export type { Clock } from "./time/clock.ts";
