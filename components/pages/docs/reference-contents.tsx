import type { ApiReference } from "#lib/contract/openapi/api-reference";

interface Entry {
  id: string;
  title: string;
  isPart: boolean;
}

function entriesOf({ document }: ApiReference): Entry[] {
  const part = (id: string, title: string): Entry => ({ id, title, isPart: true });
  return [
    part("authentication", "Authentication"),
    part("first-call", "First call"),
    ...document.tags.flatMap(({ name }) => [
      part(`tag-${name}`, name),
      ...Object.values(document.paths)
        .flatMap((methods) => Object.values(methods))
        .filter((operation) => operation.tags.includes(name))
        .map(({ operationId, summary }) => ({ id: operationId, title: summary, isPart: false })),
    ]),
    part("objects", "Objects"),
    part("errors", "Errors"),
    part("limits", "Limits"),
    part("mcp", "MCP"),
  ];
}

/** The contents of the page: next to it on a wide screen, otherwise above it and closed. */
export function ReferenceContents({ reference }: { reference: ApiReference }) {
  const entries = entriesOf(reference);
  return (
    <>
      <nav
        aria-label="On this page"
        className="sticky top-bar hidden h-[calc(100dvh-var(--h-bar))] w-nav shrink-0 overflow-y-auto border-r border-border px-2 py-4 lg:block"
      >
        <Links entries={entries} />
      </nav>
      <details className="border-b border-border lg:hidden">
        <summary className="px-4 py-2.5 text-text-2 -outline-offset-2">On this page</summary>
        <nav aria-label="On this page" className="px-2 pb-3">
          <Links entries={entries} />
        </nav>
      </details>
    </>
  );
}

function Links({ entries }: { entries: readonly Entry[] }) {
  return (
    <ul className="flex flex-col">
      {entries.map(({ id, title, isPart }) => (
        <li key={id} className={isPart ? "mt-2 first:mt-0" : "pl-3"}>
          <a
            href={`#${id}`}
            className={`block rounded-2 px-2 py-1 hover:bg-nav-selected ${isPart ? "font-medium" : "text-text-2 hover:text-text"}`}
          >
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}
