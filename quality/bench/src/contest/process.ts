import { task, tell } from "../control-plane/child.ts";
import { startApplication } from "./application.ts";
import { contestantOf } from "./contestants.ts";
import { startService } from "./service.ts";

/** The application of a contestant, or without `serviceUrl` its billing service. */
export interface ProcessTask {
  readonly name: string;
  readonly serviceUrl?: string;
}

const { name, serviceUrl } = await task<ProcessTask>();
// Some packages log every call that fails.
Object.assign(console, { log() {}, info() {}, warn() {}, error() {} });
// The AI SDK names on each call that the model is of its older kind.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
const contestant = await contestantOf(name);
const { url } = await (serviceUrl === undefined
  ? startService(contestant)
  : startApplication(contestant, serviceUrl));
process.once("disconnect", () => process.exit());
tell({ url });
