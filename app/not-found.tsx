import { EmptyState } from "@/components/ui/empty-state";

/** Plain, because every page carries it. */
export default function NotFound() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center">
      <EmptyState
        title="There is no such page"
        isPage
        action={
          <a
            href="/workflows"
            className="inline-flex h-control items-center rounded-2 bg-primary px-3 font-medium text-on-primary hover:opacity-88"
          >
            Go to the workflows
          </a>
        }
      >
        The address may be mistyped, or what stood here was deleted.
      </EmptyState>
    </main>
  );
}
