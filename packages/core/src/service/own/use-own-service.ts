import { installOwnService } from "#own-service";
import type { Service } from "../service.ts";
import { ownUpstream } from "./own-service.ts";

/**
 * Returns the service, for the option `service` of a gate at the edge: bundles for Workers and Vercel have the code for it only if they
 * call this. Without effect elsewhere.
 */
export function ownService<Given extends Service>(service: Given): Given {
  installOwnService(ownUpstream);
  return service;
}
