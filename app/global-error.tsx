"use client";

import "@/app/globals.css";
import { ErrorState } from "@/components/ui/error-state";

interface GlobalErrorProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** The last resort: the frame of all pages itself broke. */
export default function GlobalError({ reset }: GlobalErrorProps) {
  return (
    <html lang="en">
      <body>
        <main className="flex min-h-dvh items-center">
          <ErrorState title="The page could not be shown." error={null} onRetry={reset} />
        </main>
      </body>
    </html>
  );
}
