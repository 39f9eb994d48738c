"use client";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** Shown when a page fails to render; the navigation stays. Plain, because every page carries it. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <div
      role="alert"
      className="mx-auto flex max-w-md flex-1 flex-col items-center justify-center gap-3 px-6 text-center"
    >
      <h1 className="text-page font-semibold">This page failed to load</h1>
      <p className="text-text-2">Your saved work is safe. Try again, or go to workflows.</p>
      {error.digest === undefined ? null : (
        <p className="text-dense text-text-3">
          Error <code className="font-mono">{error.digest}</code>
        </p>
      )}
      <div className="flex flex-wrap justify-center gap-2">
        <button
          type="button"
          onClick={reset}
          className="h-control rounded-2 bg-primary px-3 font-medium text-on-primary hover:opacity-88"
        >
          Try again
        </button>
        <a
          href="/workflows"
          className="inline-flex h-control items-center rounded-2 border border-border bg-surface px-3 font-medium hover:border-border-strong"
        >
          Go to workflows
        </a>
      </div>
    </div>
  );
}
