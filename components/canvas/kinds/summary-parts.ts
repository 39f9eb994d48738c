import { formatDuration } from "#lib/support/format/format-duration";
import { readNumber } from "#lib/support/numbers/read-number";
import { chipLabel, templateParts } from "@/components/canvas/expressions/template-parts";

/** A part of the sentence on a card: words, or a value shown as a chip. */
export interface SummaryPart {
  kind: "text" | "chip";
  text: string;
}

const NAMES_SHOWN = 3;

export const words = (value: string): SummaryPart => ({ kind: "text", text: value });
export const chip = (value: string): SummaryPart => ({ kind: "chip", text: value });

/** Returns the template's text as words and its expressions as chips. */
export function withChips(template: string): SummaryPart[] {
  return templateParts(template).map((part) =>
    part.kind === "expression" ? chip(chipLabel(part.text)) : words(part.text),
  );
}

/** Returns the verb and the items' names, or `empty` when no item has a name. */
export function summarizeNames(verb: string, empty: string, items: readonly Record<string, unknown>[]): SummaryPart[] {
  const names = itemNames(items);
  return names.length === 0 ? [words(empty)] : [words(`${verb} `), ...listNames(names)];
}

/** Returns the names of the items that have one. */
export function itemNames(items: readonly Record<string, unknown>[]): string[] {
  return items.map((item) => wordOf(item.name)).filter((name) => name !== "");
}

/** Returns "a b and c", with "and 4 more" for a long list. */
export function listNames(names: readonly string[]): SummaryPart[] {
  const shown = names.slice(0, NAMES_SHOWN);
  const more = names.length - shown.length;
  const parts = shown.flatMap((name, index) => {
    if (index === 0) return [chip(name)];
    const isLast = index === shown.length - 1 && more === 0;
    return [words(isLast ? " and " : " "), chip(name)];
  });
  return more > 0 ? [...parts, words(` and ${more} more`)] : parts;
}

export function wordOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** Returns a number of seconds as "1 h 30 min", and a template as its chips. */
export function durationParts(seconds: unknown): SummaryPart[] {
  const text = wordOf(seconds);
  const value = readNumber(text);
  return value !== null ? [words(formatDuration(1_000 * value))] : [...withChips(text || "?"), words(" s")];
}

export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** Describes a list of items: its expression, or the number of items written into the draft. */
export function summarizeList(items: unknown): SummaryPart[] {
  return Array.isArray(items) ? [words(`${items.length} fixed items`)] : withChips(wordOf(items));
}
