"use client";

import "@/app/globals.css";

interface GlobalErrorProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** The last resort, when the frame of all pages fails. Plain, because every page carries it. */
export default function GlobalError({ error, reset }: GlobalErrorProps) {
  return (
    <html lang="en">
      <head>
        <title>This page failed to load · Signalbox</title>
      </head>
      <body>
        <main role="alert" className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-3 px-6">
          <h1 className="text-page font-semibold">This page failed to load</h1>
          <p className="text-center text-text-2">Your saved work is safe.</p>
          {error.digest === undefined ? null : (
            <p className="text-dense text-text-3">
              Error <code className="font-mono">{error.digest}</code>
            </p>
          )}
          <button
            type="button"
            onClick={reset}
            className="h-control rounded-2 border border-border bg-surface px-3 font-medium hover:border-border-strong"
          >
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
