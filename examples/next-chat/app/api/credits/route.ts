import { creditsRoute } from "@creditgate/react/route";
import { gate } from "../../gate.ts";
import { signedIn } from "../../session.ts";

/** What the page shows of the wallet: that of who is signed in, and no other. */
export const GET = creditsRoute(gate, { customer: signedIn });
