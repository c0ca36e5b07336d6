import { task, tell } from "../control-plane/child.ts";
import { startApplication } from "./application.ts";
import type { RungName } from "./rungs.ts";
import { startService } from "./service.ts";

/** A rung, or the billing service. */
export type ProcessTask =
  | { readonly rung: RungName; readonly serviceUrl: string }
  | { readonly rung?: never };

const of = await task<ProcessTask>();
const server = await (of.rung === undefined ? startService() : startApplication(of.rung, of.serviceUrl));
const stop = async (): Promise<void> => {
  await server.stop();
  process.exit();
};
process.once("SIGTERM", stop).once("disconnect", stop);
tell({ url: server.url });
