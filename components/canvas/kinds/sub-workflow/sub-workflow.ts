import { Workflow } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { chip, wordOf, words } from "@/components/canvas/kinds/summary-parts";

export const subWorkflowCanvasKind: CanvasKind = {
  icon: Workflow,
  summarize: (data) => {
    const slug = wordOf(data.action_slug);
    return slug === "" ? [words("No action yet")] : [words("Runs "), chip(slug)];
  },
  form: async () => (await import("@/components/canvas/kinds/sub-workflow/sub-workflow-form")).SubWorkflowForm,
};
