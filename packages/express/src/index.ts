import { x } from "@creditgate/core";
export const y: string = x;
