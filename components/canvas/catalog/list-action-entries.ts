import type { ActionObject } from "#lib/contract/action/action";
import type { CatalogEntry } from "@/components/canvas/catalog/catalog-entry";

/** Lists the published actions, each as a step that runs it, with the names of its input to fill in. */
export function listActionEntries(actions: readonly ActionObject[]): CatalogEntry[] {
  return actions
    .filter(({ status }) => status === "active")
    .map(({ slug, name, description, inputSchema }) => {
      const input = Object.fromEntries(Object.keys(inputSchema.properties).map((field) => [field, ""]));
      return {
        id: `action:${slug}`,
        group: "actions",
        isOwn: true,
        title: name,
        app: null,
        description: description ?? `Runs ${slug}`,
        keywords: `${slug} action`,
        weakKeywords: "",
        icon: { type: "sub_workflow", app: null },
        weight: 1.3,
        choice: { kind: "step", step: { type: "sub_workflow", name, data: { action_slug: slug, input } } },
      };
    });
}
