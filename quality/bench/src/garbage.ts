import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// Asked for here, so that no script needs a flag of its own.
setFlagsFromString("--expose-gc");

/** Frees what nothing refers to any more, now: what is measured next is then its own doing. */
export const collectGarbage: () => void = runInNewContext("gc");
