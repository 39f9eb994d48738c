import { ArrowRightFromLine } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { listOf, summarizeNames } from "@/components/canvas/kinds/summary-parts";

export const returnOutputCanvasKind: CanvasKind = {
  icon: ArrowRightFromLine,
  summarize: ({ properties }) => summarizeNames("Returns", "Returns an empty object", listOf(properties)),
  form: async () => (await import("@/components/canvas/kinds/return-output/return-output-form")).ReturnOutputForm,
};
