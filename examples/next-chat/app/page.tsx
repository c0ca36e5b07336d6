import { Chat } from "./chat.tsx";

// biome-ignore lint/style/noDefaultExport: Next reads it.
export default function Page() {
  return <Chat />;
}
