"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { ThemeProvider } from "next-themes";
import { type ReactNode, useEffect, useState } from "react";
import { createQueryClient } from "@/components/api/query-client";
import { Toasts } from "@/components/pages/frame/toasts";
import { trackPageFocus } from "@/components/ui/overlays/return-focus";

interface ProvidersProps {
  /** The nonce of this response's content security policy, for the script that sets the theme. */
  nonce: string | undefined;
  children: ReactNode;
}

/** Wraps every page: theme, server state and toasts. */
export function Providers({ nonce, children }: ProvidersProps) {
  const [queryClient] = useState(createQueryClient);
  useEffect(trackPageFocus, []);
  return (
    <ThemeProvider
      attribute="data-theme"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
      {...(nonce === undefined ? {} : { nonce })}
    >
      <QueryClientProvider client={queryClient}>
        {children}
        <Toasts />
      </QueryClientProvider>
    </ThemeProvider>
  );
}
