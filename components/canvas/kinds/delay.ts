import { Timer } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { text, withChips, wordOf } from "@/components/canvas/kinds/summary-parts";

export const delayCanvasKind: CanvasKind = {
  icon: Timer,
  summarize: ({ seconds }) => [text("Waits "), ...withChips(wordOf(seconds) || "?"), text(" s")],
};
