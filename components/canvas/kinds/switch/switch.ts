import { Signpost } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { itemNames, listNames, listOf, words } from "@/components/canvas/kinds/summary-parts";

export const switchCanvasKind: CanvasKind = {
  icon: Signpost,
  summarize: ({ cases }) => [words("Goes to "), ...listNames([...itemNames(listOf(cases)), "Default"])],
  form: async () => (await import("@/components/canvas/kinds/switch/switch-form")).SwitchForm,
};
