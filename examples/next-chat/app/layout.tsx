import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import "@creditgate/react/style.css";
import "./style.css";

export const metadata: Metadata = {
  title: "Next chat",
  description: "A chat that answers customers who can pay.",
};
export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f5f5f8" },
    { media: "(prefers-color-scheme: dark)", color: "#121318" },
  ],
};

// biome-ignore lint/style/noDefaultExport: Next reads it.
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
