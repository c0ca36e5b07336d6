import { stub } from "@creditgate/client";
export const x: string = stub.name;
console.log("from source");
