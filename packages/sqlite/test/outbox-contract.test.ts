import { testOutbox } from "@creditgate/conformance";
import { describe, it } from "vitest";
import { outboxTrial } from "./outbox-trial.ts";

// Through databases of the caller's in `own-database.full.test.ts`.
testOutbox("SQLite", { create: () => outboxTrial(), durable: true }, { describe, it });
