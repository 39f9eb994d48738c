import Link from "next/link";
import { Button } from "@/components/ui/button";

/** The bar of pages that need nobody signed in. */
export function PublicHeader({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <header className="sticky top-0 z-20 flex h-bar items-center justify-between gap-3 border-b border-border bg-app px-4">
      <Link href="/" prefetch={false} className="flex items-center gap-2.5 rounded-1 text-title font-semibold">
        <span
          aria-hidden
          className="flex size-6 items-center justify-center rounded-[6px] bg-primary text-dense text-on-primary"
        >
          S
        </span>
        Signalbox
      </Link>
      <Button asChild>
        <Link href={isSignedIn ? "/workflows" : "/sign-in"} prefetch={false}>
          {isSignedIn ? "Open the workspace" : "Sign in"}
        </Link>
      </Button>
    </header>
  );
}
