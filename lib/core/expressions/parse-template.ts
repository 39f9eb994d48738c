import { scanTemplate, type Template } from "#lib/support/scan-template";

/** Templates come from stored definitions, so few texts are resolved over and over; long ones are scanned anew. */
const MAX_TEMPLATES = 2_000;
const MAX_CACHED_LENGTH = 2_048;
const cache = new Map<string, Template>();

/** A text as literals and expressions; scanned once while it stays among the last 2,000 seen. Do not change it. */
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
