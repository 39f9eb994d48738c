import { Signpost } from "lucide-react";
import { nameOfCase } from "#lib/core/steps/switch/switch-kind";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { listNames, listOf, words } from "@/components/canvas/kinds/summary-parts";

export const switchCanvasKind: CanvasKind = {
  icon: Signpost,
  summarize: ({ cases }) => {
    const names = listOf(cases).flatMap((item) => nameOfCase(item) ?? []);
    return [words("Goes to "), ...listNames([...names, "Default"])];
  },
  form: async () => (await import("@/components/canvas/kinds/switch/switch-form")).SwitchForm,
};
