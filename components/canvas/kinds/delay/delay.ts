import { Timer } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { durationParts, withChips, wordOf, words } from "@/components/canvas/kinds/summary-parts";

export const delayCanvasKind: CanvasKind = {
  icon: Timer,
  summarize: ({ seconds, until }) =>
    typeof until === "string"
      ? [words("Waits until "), ...withChips(wordOf(until) || "?")]
      : [words("Waits "), ...durationParts(seconds)],
  form: async () => (await import("@/components/canvas/kinds/delay/delay-form")).DelayForm,
};
