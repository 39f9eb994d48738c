import { FRAGMENTS } from "#lib/core/templates/fragments";
import type { CatalogEntry } from "@/components/canvas/catalog/catalog-entry";

export function listFragmentEntries(): CatalogEntry[] {
  return FRAGMENTS.map((fragment) => ({
    id: `fragment:${fragment.fragmentId}`,
    group: "fragments",
    isOwn: false,
    title: fragment.name,
    app: null,
    description: fragment.about,
    keywords: fragment.keywords,
    weakKeywords: "",
    icon: { type: fragment.definition.nodes[0]?.type ?? "transform", app: null },
    weight: 0.9,
    choice: { kind: "fragment", fragment },
  }));
}
