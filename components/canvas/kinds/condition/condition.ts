import { Split } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { summarizeRules } from "@/components/canvas/kinds/summarize-rules";
import { words } from "@/components/canvas/kinds/summary-parts";

export const conditionCanvasKind: CanvasKind = {
  icon: Split,
  isIconTurned: true,
  summarize: (data) => {
    const rules = summarizeRules(data);
    return rules.length === 0 ? [words("No rule yet")] : [words("If "), ...rules];
  },
  form: async () => (await import("@/components/canvas/kinds/condition/condition-form")).ConditionForm,
};
