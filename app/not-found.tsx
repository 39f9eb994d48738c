import type { Metadata } from "next";
import { EmptyState } from "@/components/ui/lists/empty-state";

export const metadata: Metadata = { title: "Page not found" };

/** Plain, because every page carries it. */
export default function NotFound() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center bg-canvas">
      <p className="flex items-center gap-2.5 text-title font-semibold">
        <span
          aria-hidden
          className="flex size-6 items-center justify-center rounded-[6px] bg-primary text-dense text-on-primary"
        >
          S
        </span>
        Signalbox
      </p>
      <EmptyState
        title="Page not found"
        isPage
        action={
          <a
            href="/workflows"
            className="inline-flex h-control items-center rounded-2 bg-primary px-3 font-medium text-on-primary hover:opacity-88"
          >
            Go to workflows
          </a>
        }
      >
        Check the address for typos. The page may also have been deleted.
      </EmptyState>
    </main>
  );
}
