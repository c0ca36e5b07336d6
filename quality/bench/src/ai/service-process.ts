import type { Fixture } from "@creditgate/control-plane";
import { startControlPlane } from "@creditgate/control-plane/testing";
import { task, tell } from "../control-plane/child.ts";

export interface ServiceTask {
  readonly fixture: Fixture;
}

/** A control plane, on a database of its own. */
const { fixture } = await task<ServiceTask>();
const plane = await startControlPlane({ fixture });
process.once("SIGTERM", () => {
  void plane.stop().then(() => process.exit(0));
});
tell({ baseUrl: plane.baseUrl, apiKey: plane.apiKey });
