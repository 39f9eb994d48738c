import { DocumentationSearch } from "@/components/pages/docs/search/documentation-search";
import { SkipLink } from "@/components/shell/skip-link";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

/** The id of `main` on pages with this header. No heading of a page may have it. */
export const MAIN_ID = "main-content";

/** The bar of pages that can be read without signing in. */
export function PublicHeader({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <header className="sticky top-0 z-20 flex h-bar items-center gap-3 border-b border-border bg-app px-4">
      <SkipLink targetId={MAIN_ID} />
      <Link href="/" className="flex items-center gap-2.5 rounded-1 text-title font-semibold">
        <span
          aria-hidden
          className="flex size-6 items-center justify-center rounded-[6px] bg-primary text-dense text-on-primary"
        >
          S
        </span>
        <span className="sr-only sm:not-sr-only">Signalbox</span>
      </Link>
      <nav aria-label="Site" className="hidden gap-1 sm:flex">
        <HeaderLink href="/docs">Documentation</HeaderLink>
        <HeaderLink href="/docs/api">API</HeaderLink>
      </nav>
      <DocumentationSearch className="ml-auto min-w-0 max-w-sm flex-1" />
      <Button asChild>
        <Link href={isSignedIn ? "/workflows" : "/sign-in"}>{isSignedIn ? "Open the workspace" : "Sign in"}</Link>
      </Button>
    </header>
  );
}

function HeaderLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="rounded-2 px-2 py-1 text-text-2 hover:bg-nav-selected hover:text-text">
      {children}
    </Link>
  );
}
