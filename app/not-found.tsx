import Link from "next/link";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

export default function NotFound() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center">
      <EmptyState
        title="There is no such page"
        isPage
        action={
          <Button asChild variant="primary">
            <Link href="/workflows">Go to the workflows</Link>
          </Button>
        }
      >
        The address may be mistyped, or what stood here was deleted.
      </EmptyState>
    </main>
  );
}
