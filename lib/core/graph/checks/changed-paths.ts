import { canonicalJson, isJsonObject } from "#lib/support/json";

export type ValuePath = readonly (string | number)[];

/**
 * Lists the places at which two JSON values differ, as deep as both have the same shape. If items of a list were added or
 * removed, the list itself is the place.
 */
export function changedPaths(was: unknown, now: unknown, path: ValuePath = []): ValuePath[] {
  if (was === now) return [];
  if (isJsonObject(was) && isJsonObject(now)) {
    const keys = new Set([...Object.keys(was), ...Object.keys(now)]);
    return [...keys].flatMap((key) => changedPaths(own(was, key), own(now, key), [...path, key]));
  }
  if (Array.isArray(was) && Array.isArray(now) && was.length === now.length) {
    return was.flatMap((item, index) => changedPaths(item, now[index], [...path, index]));
  }
  return canonicalJson(was ?? null) === canonicalJson(now ?? null) ? [] : [path];
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
