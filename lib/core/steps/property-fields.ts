import { PROPERTY_TYPES, type PropertyType } from "#lib/contract/json-schema";
import type { OutputField } from "#lib/core/steps/define-step-kind";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

/**
 * Returns the output fields of a step whose data names them: `[{ name, type?, description?, value? }]`. In a draft, the
 * data can be anything.
 */
export function propertyFields(items: unknown): OutputField[] {
  if (!Array.isArray(items)) return [];
  return items.filter(isJsonObject).flatMap((item) => {
    const { name, type, description } = item;
    if (typeof name !== "string" || name === "") return [];
    return [
      {
        path: [name],
        type: asPropertyType(type),
        description: typeof description === "string" ? description : "",
        items: asPropertyType(getPath(item, ["items", "type"])),
      },
    ];
  });
}

export function asPropertyType(value: unknown): PropertyType | null {
  return PROPERTY_TYPES.find((type) => type === value) ?? null;
}
