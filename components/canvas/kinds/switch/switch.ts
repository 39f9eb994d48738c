import { Signpost } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { listOf, summarizeNames } from "@/components/canvas/kinds/summary-parts";

export const switchCanvasKind: CanvasKind = {
  icon: Signpost,
  summarize: ({ cases }) => summarizeNames("Goes to", "No case yet", [...listOf(cases), { name: "Default" }]),
  form: async () => (await import("@/components/canvas/kinds/switch/switch-form")).SwitchForm,
};
