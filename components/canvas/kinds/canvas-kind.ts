import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { SummaryPart } from "@/components/canvas/kinds/summary-parts";

/** A node's data in a draft: complete, half-written, or broken by another client. */
export type DraftData = Readonly<Record<string, unknown>>;

/** Edits the data of the panel's node. */
export type KindForm = () => ReactNode;

/** A step that is already set up, as the picker offers it. */
export interface KindVariant {
  id: string;
  /** Also the name of the new step. */
  title: string;
  description: string;
  /** Search terms that do not appear in the title. */
  keywords: string;
  newData: () => JsonObject;
}

/** Everything that only the canvas knows about a step kind. Its color depends on its category. */
export interface CanvasKind {
  icon: LucideIcon;
  /** True for an icon that Lucide draws upward, because workflows run downward. */
  isIconTurned?: true;
  /** Describes the step in one sentence, from the data that its form edits. Accepts any draft. */
  summarize: (data: DraftData) => SummaryPart[];
  /** Returns the facts that the card's foot shows instead of retries and failure handling. */
  listFacts?: (data: DraftData) => string[];
  /** What the picker offers instead of an empty step of this kind. */
  variants?: readonly KindVariant[];
  /** What the picker offers in addition, after all kinds. */
  presets?: readonly KindVariant[];
  /** Loads the form, together with the panel and after the drawing. */
  form: () => Promise<KindForm>;
}
