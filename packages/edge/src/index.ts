export { creditsMiddleware, type HonoContext } from "./credits-middleware.ts";
export { withCredits } from "./with-credits.ts";
