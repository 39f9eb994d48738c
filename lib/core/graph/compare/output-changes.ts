import type { OutputChange } from "#lib/contract/action/publish";
import type { OutputSchema, PropertySchema } from "#lib/contract/wire/json-schema";

/**
 * Lists the changes of an output schema, in the order of its fields, with new fields last. Null means that no output is
 * defined.
 */
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
