import { Filter } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { summarizeRules } from "@/components/canvas/kinds/summarize-rules";
import { summarizeList, words } from "@/components/canvas/kinds/summary-parts";

export const filterCanvasKind: CanvasKind = {
  icon: Filter,
  summarize: (data) => {
    const list = summarizeList(data.items);
    if (list.length === 0) return [words("No list yet")];
    const rules = summarizeRules(data);
    return [
      words("Keeps items of "),
      ...list,
      ...(rules.length === 0 ? [words(", no rule yet")] : [words(" if "), ...rules]),
    ];
  },
  form: async () => (await import("@/components/canvas/kinds/filter/filter-form")).FilterForm,
};
