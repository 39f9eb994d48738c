import { Repeat } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { summarizeList, words } from "@/components/canvas/kinds/summary-parts";

export const loopCanvasKind: CanvasKind = {
  icon: Repeat,
  summarize: ({ items, concurrency }) => {
    const list = summarizeList(items);
    if (list.length === 0) return [words("No list yet")];
    const pace = typeof concurrency === "number" && concurrency > 1 ? [words(`, ${concurrency} at a time`)] : [];
    return [words("For each of "), ...list, ...pace];
  },
  form: async () => (await import("@/components/canvas/kinds/loop/loop-form")).LoopForm,
};
