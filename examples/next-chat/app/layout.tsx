import type { Metadata } from "next";
import type { ReactNode } from "react";
import "./style.css";

export const metadata: Metadata = { title: "Next chat", description: "A chat that answers whoever can pay." };

// biome-ignore lint/style/noDefaultExport: Next reads it.
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
