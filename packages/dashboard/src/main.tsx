import "./styles/index.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/client.ts";
import { ZeroLinePatterns } from "./customers/zero-line.tsx";
import { ToastRegion } from "./parts/toasts.tsx";
import { router } from "./router.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element with the id root.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ZeroLinePatterns />
      <RouterProvider router={router} />
      <ToastRegion />
    </QueryClientProvider>
  </StrictMode>,
);
