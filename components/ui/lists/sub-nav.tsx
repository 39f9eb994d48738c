"use client";

import { clsx } from "clsx";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "@/components/ui/link";
import { centreInRow, TAB_ROW } from "@/components/ui/lists/centre-in-row";

interface SubNavProps {
  label: string;
  pages: readonly { href: string; label: string }[];
  /** Tools of the page, at the end of the row, or below it if they don't fit. */
  tools?: ReactNode;
}

/** The address of the link that was just followed: each page has a row of its own, so the focus would be lost. */
let followed: string | null = null;

/**
 * A row of links under a page's header, for a navigation entry with several pages. The focus stays on the link that was
 * followed.
 */
export function SubNav({ label, pages, tools }: SubNavProps) {
  const pathname = usePathname();
  const current = useRef<HTMLAnchorElement | null>(null);
  useEffect(() => {
    centreInRow(current.current);
    if (followed === pathname) current.current?.focus({ preventScroll: true });
    followed = null;
  }, [pathname]);
  return (
    <div className="flex shrink-0 flex-wrap items-center bg-app shadow-row">
      <nav aria-label={label} className={clsx(TAB_ROW, "max-w-full gap-x-5 px-4")}>
        {pages.map((page) => (
          <Link
            key={page.href}
            ref={pathname === page.href ? current : undefined}
            onClick={() => {
              followed = page.href;
            }}
            href={page.href}
            aria-current={pathname === page.href ? "page" : undefined}
            className={clsx(
              "flex h-10 shrink-0 items-center border-b-2 -outline-offset-2 hover:text-text",
              pathname === page.href ? "border-text font-medium text-text" : "border-transparent text-text-2",
            )}
          >
            {page.label}
          </Link>
        ))}
      </nav>
      {tools}
    </div>
  );
}
