import { Braces } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { chip, listOf, summarizeNames, wordOf, words } from "@/components/canvas/kinds/summary-parts";

export const transformCanvasKind: CanvasKind = {
  icon: Braces,
  summarize: ({ jsonata, fields }) => {
    if (wordOf(jsonata) !== "") return [words("Computes "), chip(wordOf(jsonata))];
    return summarizeNames("Sets", "Sets no fields yet", listOf(fields));
  },
  form: async () => (await import("@/components/canvas/kinds/transform/transform-form")).TransformForm,
};
