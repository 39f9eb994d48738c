"use client";

import { Search } from "lucide-react";
import { useId, useRef } from "react";
import { SearchResults } from "@/components/pages/docs/search/search-results";
import { useDocumentationSearch } from "@/components/pages/docs/search/use-documentation-search";
import { useShortcuts } from "@/components/shell/shortcuts";
import { Input } from "@/components/ui/forms/input";
import { Kbd } from "@/components/ui/forms/kbd";

/** Searches all pages of the documentation. Its code and its index are loaded when it first gets the focus. */
export function DocumentationSearch({ className }: { className?: string }) {
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const search = useDocumentationSearch();
  const { typed, hits, current, isShown } = search;
  useShortcuts({ "/": () => input.current?.focus() });
  return (
    <search
      className={className}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) search.close();
      }}
    >
      <span className="relative block">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-text-3"
        />
        <Input
          ref={input}
          role="combobox"
          aria-label="Search the documentation"
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={listId}
          aria-activedescendant={isShown && current !== undefined ? `${listId}-${hits.indexOf(current)}` : undefined}
          aria-keyshortcuts="/"
          placeholder="Search the documentation"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onFocus={search.start}
          onChange={(event) => search.type(event.target.value)}
          onKeyDown={search.onKeyDown}
          className="pr-8 pl-8"
        />
        <span aria-hidden className="pointer-events-none absolute top-1/2 right-2 hidden -translate-y-1/2 sm:block">
          <Kbd>/</Kbd>
        </span>
      </span>
      <SearchResults listId={listId} search={search} />
    </search>
  );
}
