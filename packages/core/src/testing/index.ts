export { x } from "../index.ts";
