export { withCredits } from "./api-route.ts";
