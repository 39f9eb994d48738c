import { Timer } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { withChips, wordOf, words } from "@/components/canvas/kinds/summary-parts";

export const delayCanvasKind: CanvasKind = {
  icon: Timer,
  summarize: ({ seconds }) => [words("Waits "), ...withChips(wordOf(seconds) || "?"), words(" s")],
  form: async () => (await import("@/components/canvas/kinds/delay/delay-form")).DelayForm,
};
