import type { ActionObject } from "#lib/contract/action/action";
import type { CatalogApp } from "#lib/contract/connector/connector";
import type { CatalogEntry } from "@/components/canvas/catalog/catalog-entry";
import { listActionEntries } from "@/components/canvas/catalog/list-action-entries";
import { listAppEntries } from "@/components/canvas/catalog/list-app-entries";
import { listFragmentEntries } from "@/components/canvas/catalog/list-fragment-entries";
import { listKindEntries } from "@/components/canvas/catalog/list-kind-entries";
import { indexCatalog, type SearchCatalog } from "@/components/canvas/catalog/search-catalog";

/** Everything that can be added to a workflow, and how to find it. */
export interface StepCatalog {
  entries: readonly CatalogEntry[];
  search: SearchCatalog;
}

interface CatalogSource {
  apps: readonly CatalogApp[];
  actions: readonly ActionObject[];
}

let last: { source: CatalogSource; catalog: StepCatalog } | null = null;

/** Builds the catalog once for the same answers of the server, so that picker and command palette share one index. */
export function buildCatalog(source: CatalogSource): StepCatalog {
  if (last?.source.apps === source.apps && last.source.actions === source.actions) return last.catalog;
  const { apps, actions } = source;
  const entries = [
    ...listKindEntries(),
    ...listAppEntries(apps),
    ...listActionEntries(actions),
    ...listFragmentEntries(),
  ];
  const catalog = { entries, search: indexCatalog(entries) };
  last = { source, catalog };
  return catalog;
}
