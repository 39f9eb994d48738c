import { Repeat } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { summarizeList, text } from "@/components/canvas/kinds/summary-parts";

export const loopCanvasKind: CanvasKind = {
  icon: Repeat,
  summarize: ({ items, concurrency }) => {
    const list = summarizeList(items);
    if (list.length === 0) return [text("No list yet")];
    const pace = typeof concurrency === "number" && concurrency > 1 ? [text(`, ${concurrency} at a time`)] : [];
    return [text("For each of "), ...list, ...pace];
  },
};
