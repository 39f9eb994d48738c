import { Braces } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { chip, listOf, summarizeNames, text, wordOf } from "@/components/canvas/kinds/summary-parts";

export const transformCanvasKind: CanvasKind = {
  icon: Braces,
  summarize: ({ jsonata, fields }) => {
    if (wordOf(jsonata) !== "") return [text("Computes "), chip(wordOf(jsonata))];
    return summarizeNames("Sets", "Sets no fields yet", listOf(fields));
  },
};
