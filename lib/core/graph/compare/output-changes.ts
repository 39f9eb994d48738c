import type { OutputSchema, PropertySchema } from "#lib/contract/json-schema";
import type { OutputChange } from "#lib/contract/publish";

/** What a new output schema changes, in the order the fields had, new ones last. Null is no output defined. */
export function outputChanges(before: OutputSchema | null, after: OutputSchema | null): OutputChange[] {
  const was = before?.properties ?? {};
  const now = after?.properties ?? {};
  const names = new Set([...Object.keys(was), ...Object.keys(now)]);
  return [...names].flatMap((field) => {
    const [from, to] = [typeIn(was, field), typeIn(now, field)];
    if (from === to) return [];
    const kind = from === null ? "added" : to === null ? "removed" : "type_changed";
    return [{ field, kind, was: from, now: to } as const];
  });
}

function typeIn(properties: Record<string, PropertySchema>, field: string): string | null {
  return Object.hasOwn(properties, field) ? (properties[field]?.type ?? null) : null;
}
