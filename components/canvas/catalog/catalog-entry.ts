import type { StepType } from "#lib/core/steps/step-kinds";
import type { Fragment } from "#lib/core/templates/fragments";
import type { NewStep } from "@/components/canvas/layout/insert-node";

/** The parts of the catalog, in the order in which the picker offers them. */
export const ENTRY_GROUPS = ["start", "apps", "steps", "triggers", "actions", "fragments"] as const;
export type EntryGroup = (typeof ENTRY_GROUPS)[number];

export const GROUP_TITLES: Record<EntryGroup, string> = {
  start: "Start",
  apps: "Apps",
  steps: "Steps",
  triggers: "Triggers",
  actions: "Your actions",
  fragments: "Ready-made groups",
};

/** What choosing an entry does. */
export type EntryChoice =
  | { kind: "step"; step: NewStep }
  | { kind: "fragment"; fragment: Fragment }
  /** Opens the operations of an app, for one of its connections if the user chose it. */
  | { kind: "app"; connector: string; connectionId: string | null };

/** One line of the catalog. */
export interface CatalogEntry {
  /** The same for every visit, because the picker remembers recent choices by it. */
  id: string;
  group: EntryGroup;
  /** True for what the workspace made itself: connections, connectors and actions. */
  isOwn: boolean;
  title: string;
  app: { connector: string; name: string } | null;
  description: string;
  /** Words to find it by that appear in none of the other texts. */
  keywords: string;
  /** The same, for words that rather mean something else, such as those of the app of an operation. */
  weakKeywords: string;
  icon: { type: StepType; app: string | null };
  /** How often it is likely to be wanted, compared with 1. */
  weight: number;
  choice: EntryChoice;
}

/** Returns the text by which an entry is offered outside the list of its app. */
export function entryLabel({ title, app, choice }: CatalogEntry): string {
  return app === null || app.name === title || choice.kind === "app" ? title : `${app.name}: ${title}`;
}
