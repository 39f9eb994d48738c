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
    const condition = rules.length === 0 ? [words(" by rules that are still missing")] : [words(" if "), ...rules];
    return [words("Keep items of "), ...list, ...condition];
  },
};
