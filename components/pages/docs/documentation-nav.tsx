import { clsx } from "clsx";
import type { DocumentationSection } from "#lib/contract/wire/documentation";
import { Link } from "@/components/ui/link";

interface DocumentationNavProps {
  sections: readonly DocumentationSection[];
  /** The path of the page that is open. */
  current: string;
}

/** All pages without their parts, in their order: a column on a wide screen, closed above the page on a narrow one. */
export function DocumentationNav(props: DocumentationNavProps) {
  return (
    <>
      <nav
        aria-label="Documentation"
        className="sticky top-bar hidden h-[calc(100dvh-var(--h-bar))] w-nav shrink-0 overflow-y-auto border-r border-border px-2 py-4 lg:block"
      >
        <Sections {...props} />
      </nav>
      <details className="border-b border-border lg:hidden">
        <summary className="px-4 py-2.5 text-text-2 -outline-offset-2">All pages</summary>
        <nav aria-label="Documentation" className="px-2 pb-3">
          <Sections {...props} />
        </nav>
      </details>
    </>
  );
}

function Sections({ sections, current }: DocumentationNavProps) {
  return (
    <>
      <NavLink href="/docs" title="Overview" current={current} />
      {sections.map(({ title, pages }) => (
        <section key={title} aria-label={title} className="mt-4">
          <p aria-hidden className="px-2 pb-1 text-dense font-medium text-text-3">
            {title}
          </p>
          <ul>
            {pages.map((page) => (
              <li key={page.href}>
                <NavLink
                  href={page.href}
                  title={page.title}
                  current={page.parts?.some(({ href }) => href === current) ? page.href : current}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function NavLink({ href, title, current }: { href: string; title: string; current: string }) {
  const isCurrent = href === current;
  return (
    <Link
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      className={clsx(
        "block rounded-2 px-2 py-1",
        isCurrent ? "bg-nav-selected font-medium" : "text-text-2 hover:bg-nav-selected hover:text-text",
      )}
    >
      {title}
    </Link>
  );
}
