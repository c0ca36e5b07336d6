import { act } from "./actions.ts";
import { Caller } from "./caller.tsx";

// biome-ignore lint/style/noDefaultExport: Next reads it.
export default function Page() {
  return <Caller act={act} />;
}
