import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { SummaryPart } from "@/components/canvas/kinds/summary-parts";

/** A node's data in a draft: complete, half-written, or broken by another client. */
export type DraftData = Readonly<Record<string, unknown>>;

/** Edits the data of the panel's node. */
export type KindForm = () => ReactNode;

/** Everything that only the canvas knows about a step kind. Its color depends on its category. */
export interface CanvasKind {
  icon: LucideIcon;
  /** True for an icon that Lucide draws upward, because workflows run downward. */
  isIconTurned?: true;
  /** Describes the step in one sentence, from the data that its form edits. Accepts any draft. */
  summarize: (data: DraftData) => SummaryPart[];
  /** Returns the facts that the card's foot shows instead of retries and failure handling. */
  listFacts?: (data: DraftData) => string[];
  /** Loads the form, together with the panel and after the drawing. */
  form: () => Promise<KindForm>;
}
