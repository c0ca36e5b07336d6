export { type Endpoint, stub } from "./endpoint.ts";
