export { startControlPlane, type TestControlPlane, type TestControlPlaneOptions } from "./control-plane.ts";
export type { FaultScope, Faults } from "./faults.ts";
export { type TestPostgres, usePostgres } from "./postgres.ts";
export { createMigratedDatabase, createTestDatabase, type TestDatabase } from "./test-database.ts";
