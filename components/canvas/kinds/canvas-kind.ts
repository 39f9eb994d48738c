import type { LucideIcon } from "lucide-react";
import type { SummaryPart } from "@/components/canvas/kinds/summary-parts";

/** A node's data as a draft holds it: complete, half written, or broken by another client. */
export type DraftData = Readonly<Record<string, unknown>>;

/**
 * What only the canvas knows about a step kind and needs before anything is opened. Its color is in kind-shapes.ts, which
 * thumbnails load alone; its form is in panel/forms, which loads after the drawing.
 */
export interface CanvasKind {
  icon: LucideIcon;
  /** True for an icon that Lucide draws upward: work flows down. */
  isIconTurned?: true;
  /** Says in one sentence what the step does, from the data its form edits. Accepts any draft. */
  summarize: (data: DraftData) => SummaryPart[];
  /** Lists what the foot of the card shows instead of retries and failures. */
  listFacts?: (data: DraftData) => string[];
}
