"use client";

import { useTheme } from "next-themes";
import { useEffect } from "react";
import { Toaster } from "sonner";
import { announceToaster } from "@/components/ui/toast";

/** Bottom right, one line and one action, for six seconds; hovering keeps a message open. */
export function ThemedToaster() {
  const { resolvedTheme } = useTheme();
  useEffect(announceToaster, []);
  return (
    <Toaster
      position="bottom-right"
      duration={6_000}
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      style={{ zIndex: "var(--z-toast)", fontFamily: "var(--font-plex-sans)" }}
      toastOptions={{
        style: {
          background: "var(--raised)",
          color: "var(--text)",
          border: "1px solid var(--border)",
          borderRadius: "var(--r-3)",
          boxShadow: "var(--sh-2)",
          font: "inherit",
        },
        actionButtonStyle: { background: "var(--primary)", color: "var(--on-primary)", borderRadius: "var(--r-1)" },
        descriptionClassName: "text-text-2",
      }}
    />
  );
}
