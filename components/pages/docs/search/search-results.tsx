import { clsx } from "clsx";
import type { DocumentationHit } from "@/components/pages/docs/search/documentation-index";
import type { DocumentationSearchState } from "@/components/pages/docs/search/use-documentation-search";
import { Button } from "@/components/ui/button";
import { keepInView } from "@/components/ui/keep-in-view";

interface SearchResultsProps {
  listId: string;
  search: DocumentationSearchState;
}

/** What the search found, by page: a list below the search box that the box controls. */
export function SearchResults({ listId, search }: SearchResultsProps) {
  const { isShown, groups, hits, status } = search;
  const message = messageOf(search);
  return (
    <>
      <p role="status" className="sr-only">
        {isShown ? message : ""}
      </p>
      <div
        hidden={!isShown}
        className="fixed inset-x-2 top-bar z-popover mt-1 max-h-[70dvh] overflow-y-auto rounded-3 border border-border bg-raised p-1.5 shadow-3 sm:right-4 sm:left-auto sm:w-full sm:max-w-lg"
      >
        <div id={listId} role="listbox" aria-label="Search results">
          {groups.map(({ page, hits: found }, index) => (
            <fieldset key={page} aria-labelledby={`${listId}-page-${index}`} className="min-w-0">
              <p id={`${listId}-page-${index}`} role="presentation" className="px-2.5 pt-2 pb-1 text-dense text-text-3">
                {page}
              </p>
              {found.map((hit) => (
                <SearchOption key={hit.href} id={`${listId}-${hits.indexOf(hit)}`} hit={hit} search={search} />
              ))}
            </fieldset>
          ))}
        </div>
        {hits.length > 0 ? null : (
          <div className="flex flex-col items-start gap-2 px-2.5 py-3 text-text-2">
            <p>{message}</p>
            {status === "error" ? <Button onClick={search.retry}>Try again</Button> : null}
          </div>
        )}
      </div>
    </>
  );
}

function messageOf({ status, hits, query }: DocumentationSearchState): string {
  if (status === "pending") return "Loading the search…";
  if (status === "error") return "Couldn't load the search.";
  if (hits.length === 0) return `No results for “${query}”. Try fewer or different words.`;
  return hits.length === 1 ? "1 result" : `${hits.length} results`;
}

interface SearchOptionProps {
  id: string;
  hit: DocumentationHit;
  search: DocumentationSearchState;
}

function SearchOption({ id, hit, search }: SearchOptionProps) {
  const isActive = hit === search.current;
  return (
    <button
      type="button"
      id={id}
      ref={isActive ? keepInView : undefined}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onPointerMove={() => search.point(hit)}
      onClick={() => search.choose(hit)}
      className={clsx("block w-full rounded-2 px-2.5 py-1.5 text-left", isActive && "bg-sunken dark:bg-surface")}
    >
      <span className="block truncate font-medium">{hit.heading}</span>
      {hit.excerpt === "" ? null : (
        <span className="block text-dense text-text-2 [overflow-wrap:anywhere]">{hit.excerpt}</span>
      )}
    </button>
  );
}
