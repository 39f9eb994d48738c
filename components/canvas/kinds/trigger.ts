import { Zap } from "lucide-react";
import type { CanvasKind, DraftData } from "@/components/canvas/kinds/canvas-kind";
import { chip, type SummaryPart, text, wordOf } from "@/components/canvas/kinds/summary-parts";

export const triggerCanvasKind: CanvasKind = {
  icon: Zap,
  summarize: (data) => {
    if (data.kind === "webhook") return [text("Starts when its address is called")];
    return data.kind === "connector" ? summarizeEvent(data) : summarizeSchedule(data);
  },
};

function summarizeEvent({ connector, event }: DraftData): SummaryPart[] {
  const words = wordOf(event).replaceAll("_", " ");
  if (words === "") return [text("No event yet")];
  return [text("Starts on "), chip(words), text(` of ${wordOf(connector)}`)];
}

function summarizeSchedule({ mode, seconds, expression, timezone }: DraftData): SummaryPart[] {
  if (mode === "interval") return [text("Starts every "), chip(`${wordOf(seconds) || "?"} s`)];
  return [text("Starts at "), chip(wordOf(expression) || "?"), text(` ${wordOf(timezone)}`)];
}
