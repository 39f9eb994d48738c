import { Sparkles } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { chip, text, wordOf } from "@/components/canvas/kinds/summary-parts";

export const llmCanvasKind: CanvasKind = {
  icon: Sparkles,
  summarize: (data) => {
    const model = wordOf(data.model);
    return model === "" ? [text("No model yet")] : [text("Asks "), chip(model)];
  },
};
