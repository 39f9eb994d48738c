import type { MarkdownHeading } from "#lib/support/parse-markdown";

/** The headings of the page: a column on a wide screen, closed above the text on a narrow one. */
export function OnThisPage({ headings }: { headings: readonly MarkdownHeading[] }) {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (shown.length === 0) return <div className="hidden w-nav shrink-0 xl:block" />;
  return (
    <>
      <nav
        aria-label="On this page"
        className="sticky top-bar hidden h-[calc(100dvh-var(--h-bar))] w-nav shrink-0 overflow-y-auto px-2 py-8 xl:block"
      >
        <p aria-hidden className="px-2 pb-1 text-dense font-medium text-text-3">
          On this page
        </p>
        <Headings headings={shown} />
      </nav>
      <details className="border-b border-border xl:hidden">
        <summary className="px-4 py-2.5 text-text-2 -outline-offset-2">On this page</summary>
        <nav aria-label="On this page" className="px-2 pb-3">
          <Headings headings={shown} />
        </nav>
      </details>
    </>
  );
}

function Headings({ headings }: { headings: readonly MarkdownHeading[] }) {
  return (
    <ul className="text-dense">
      {headings.map(({ id, text, depth }) => (
        <li key={id} className={depth === 3 ? "pl-3" : undefined}>
          <a
            href={`#${id}`}
            className="block rounded-2 px-2 py-1 text-text-2 [overflow-wrap:anywhere] hover:bg-nav-selected hover:text-text"
          >
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}
