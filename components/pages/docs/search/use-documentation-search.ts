import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useDeferredValue, useState } from "react";
import type { DocumentationHit } from "@/components/pages/docs/search/documentation-index";

async function loadSearch() {
  const [{ loadDocumentationIndex }, { searchDocumentation }] = await Promise.all([
    import("@/components/pages/docs/search/load-documentation-index"),
    import("@/components/pages/docs/search/documentation-index"),
  ]);
  const index = await loadDocumentationIndex();
  return (query: string) => searchDocumentation(index, query);
}

/** State of the search box: what is typed, what that finds, and which result the arrow keys are on. */
export function useDocumentationSearch() {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const query = useDeferredValue(typed.trim());
  const search = useQuery({
    queryKey: ["documentation-search"],
    queryFn: loadSearch,
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const groups = query === "" ? [] : (search.data?.(query) ?? []);
  const hits = groups.flatMap((group) => group.hits);
  const position = Math.min(active, hits.length - 1);
  const current = hits[position];
  const isShown = isOpen && query !== "";

  function choose({ href }: DocumentationHit) {
    setOpen(false);
    setTyped("");
    router.push(href);
  }
  function onKeyDown(event: KeyboardEvent) {
    const distance = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (distance !== undefined && hits.length > 0) {
      setActive(isShown ? (position + distance + hits.length) % hits.length : position);
      setOpen(true);
    } else if (event.key === "Enter" && isShown && current !== undefined) choose(current);
    else if (event.key === "Escape" && isShown) setOpen(false);
    else return;
    event.preventDefault();
  }
  function type(text: string) {
    setTyped(text);
    setActive(0);
    setOpen(true);
  }
  return {
    typed,
    query,
    groups,
    hits,
    current,
    isShown,
    status: search.status,
    choose,
    onKeyDown,
    type,
    start: () => setWanted(true),
    close: () => setOpen(false),
    point: (hit: DocumentationHit) => setActive(hits.indexOf(hit)),
    retry: () => void search.refetch(),
  };
}

export type DocumentationSearchState = ReturnType<typeof useDocumentationSearch>;
