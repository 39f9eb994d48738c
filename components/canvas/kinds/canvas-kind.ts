import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { SummaryPart } from "@/components/canvas/kinds/summary-parts";

/** A node's data as a draft holds it: complete, half written, or broken by another client. */
export type DraftData = Readonly<Record<string, unknown>>;

/** Edits the data of the panel's node. */
export type KindForm = () => ReactNode;

/** What only the canvas knows about a step kind. Its color follows from its category. */
export interface CanvasKind {
  icon: LucideIcon;
  /** True for an icon that Lucide draws upward: work flows down. */
  isIconTurned?: true;
  /** Says in one sentence what the step does, from the data its form edits. Accepts any draft. */
  summarize: (data: DraftData) => SummaryPart[];
  /** Lists what the foot of the card shows instead of retries and failures. */
  listFacts?: (data: DraftData) => string[];
  /** Loaded after the drawing, with the panel. */
  form: () => Promise<KindForm>;
}
