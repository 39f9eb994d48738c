import { ArrowRightToLine } from "lucide-react";
import { formatCount } from "#lib/support/format/format-number";
import type { CanvasKind, DraftData } from "@/components/canvas/kinds/canvas-kind";
import { listNames, listOf, type SummaryPart, wordOf, words } from "@/components/canvas/kinds/summary-parts";

export const actionInputCanvasKind: CanvasKind = {
  icon: ArrowRightToLine,
  summarize: summarizeInput,
  listFacts: ({ properties }) => {
    const fields = listOf(properties);
    if (fields.length === 0) return [];
    const required = fields.filter((field) => field.required === true).length;
    return [`${formatCount(fields.length, "field")}`, `${required} required`];
  },
  form: async () => (await import("@/components/canvas/kinds/action-input/action-input-form")).ActionInputForm,
};

function summarizeInput({ properties }: DraftData): SummaryPart[] {
  const named = listOf(properties).filter((property) => wordOf(property.name) !== "");
  const namesOf = (isRequired: boolean) =>
    named.filter((property) => (property.required === true) === isRequired).map((property) => wordOf(property.name));
  const [required, optional] = [namesOf(true), namesOf(false)];
  if (named.length === 0) return [words("Callers send no fields")];
  if (required.length === 0) return [words("Caller may send "), ...listNames(optional)];
  if (optional.length === 0) return [words("Caller sends "), ...listNames(required)];
  return [words("Caller sends "), ...listNames(required), words(" and optional "), ...listNames(optional)];
}
