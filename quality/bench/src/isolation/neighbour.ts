import { type Fixture, fixture } from "../control-plane/fixture.ts";

export const neighbourKey = "cg_neighbour_local";

/** Another organisation of the same service. */
export const neighbour: Fixture = { ...fixture, organization: { name: "Neighbour", apiKey: neighbourKey } };
