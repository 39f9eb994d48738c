import { Zap } from "lucide-react";
import { formatCount } from "#lib/support/format/format-number";
import type { CanvasKind, DraftData } from "@/components/canvas/kinds/canvas-kind";
import { chip, durationParts, type SummaryPart, wordOf, words } from "@/components/canvas/kinds/summary-parts";
import { readRule } from "@/components/canvas/kinds/trigger/calendar-rule";
import { describeCalendar } from "@/components/canvas/kinds/trigger/describe-calendar";
import { TRIGGER_VARIANTS } from "@/components/canvas/kinds/trigger/trigger-choices";

export const triggerCanvasKind: CanvasKind = {
  icon: Zap,
  variants: TRIGGER_VARIANTS,
  summarize: (data) => {
    if (data.kind === "webhook") return [words("Starts when its URL is called")];
    if (data.kind === "failure") return summarizeFailure(data);
    if (data.kind === "form")
      return [words("Starts when the form "), chip(wordOf(data.title) || "?"), words(" is sent")];
    return data.kind === "connector" ? summarizeEvent(data) : summarizeSchedule(data);
  },
  form: async () => (await import("@/components/canvas/kinds/trigger/trigger-form")).TriggerForm,
};

function summarizeFailure({ workflow_ids: ids }: DraftData): SummaryPart[] {
  if (!Array.isArray(ids)) return [words("Starts when a run of any workflow fails")];
  return [words(`Starts when a run of ${formatCount(ids.length, "workflow")} fails`)];
}

function summarizeEvent({ connector, event }: DraftData): SummaryPart[] {
  const name = wordOf(event).replaceAll("_", " ");
  if (name === "") return [words("No event yet")];
  return [words("Starts on "), chip(name), words(` from ${wordOf(connector)}`)];
}

function summarizeSchedule({ mode, seconds, expression, timezone }: DraftData): SummaryPart[] {
  if (mode === "interval") return [words("Starts every "), ...durationParts(seconds)];
  const rule = readRule(wordOf(expression));
  const when = rule === null ? [words("at "), chip(wordOf(expression) || "?")] : [words(describeCalendar(rule))];
  return [words("Starts "), ...when, words(`, ${wordOf(timezone)}`)];
}
