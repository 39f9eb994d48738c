import { LIMITS } from "#lib/contract/limits";
import { scanTemplate, type Template } from "#lib/core/expressions/scan-template";
import { sizedCache } from "#lib/support/sized-cache";

/** What a part of a parsed text takes besides its characters: an expression with its path. */
const PART_BYTES = 300;

/** Templates come from stored definitions, so the same few texts are resolved repeatedly, some for every item of a list. */
const cache = sizedCache<string, Template>(LIMITS.templateCacheBytes);

/**
 * Splits a text into literals and expressions. The result is cached while the text is among the most recent ones, so do
 * not change it.
 */
export function parseTemplate(text: string): Template {
  const known = cache.get(text);
  if (known) return known;
  const template = scanTemplate(text);
  cache.set(text, template, 4 * text.length + PART_BYTES * (template.parts.length + template.errors.length + 1));
  return template;
}
