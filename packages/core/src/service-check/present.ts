export { checkService } from "@creditgate/client";
