import { Sparkles } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { chip, wordOf, words } from "@/components/canvas/kinds/summary-parts";

export const llmCanvasKind: CanvasKind = {
  icon: Sparkles,
  summarize: (data) => {
    const model = wordOf(data.model);
    return model === "" ? [words("No model yet")] : [words("Asks "), chip(model)];
  },
  form: async () => (await import("@/components/canvas/kinds/llm/llm-form")).LlmForm,
};
