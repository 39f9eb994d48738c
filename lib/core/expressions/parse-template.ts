import { scanTemplate, type Template } from "#lib/support/scan-template";

/**
 * Templates come from stored definitions, so the same few texts are resolved repeatedly. Long texts are scanned again
 * each time.
 */
const MAX_TEMPLATES = 2_000;
const MAX_CACHED_LENGTH = 2_048;
const cache = new Map<string, Template>();

/**
 * Splits a text into literals and expressions. The result is cached while the text is among the 2,000 most recent ones,
 * so do not change it.
 */
export function parseTemplate(text: string): Template {
  const known = cache.get(text);
  if (known) return known;
  const template = scanTemplate(text);
  if (text.length > MAX_CACHED_LENGTH) return template;
  if (cache.size >= MAX_TEMPLATES) {
    const oldest = cache.keys().next();
    if (!oldest.done) cache.delete(oldest.value);
  }
  cache.set(text, template);
  return template;
}
