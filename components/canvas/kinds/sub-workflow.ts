import { Workflow } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { chip, text, wordOf } from "@/components/canvas/kinds/summary-parts";

export const subWorkflowCanvasKind: CanvasKind = {
  icon: Workflow,
  summarize: (data) => {
    const slug = wordOf(data.action_slug);
    return slug === "" ? [text("No action yet")] : [text("Runs "), chip(slug)];
  },
};
