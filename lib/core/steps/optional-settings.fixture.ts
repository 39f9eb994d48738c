import { z } from "zod";
import { STEP_DATA } from "#lib/core/steps/step-data";
import type { STEP_TYPES } from "#lib/core/steps/step-kinds";

/** For tests: the optional settings of a kind of step, from its JSON Schema. */
export function optionalSettings(type: (typeof STEP_TYPES)[number]): string[] {
  const schema = z.toJSONSchema(STEP_DATA[type], { io: "input", unrepresentable: "any" });
  const objects = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const names = objects.flatMap(({ properties = {}, required = [] }) =>
    Object.keys(properties).filter((name) => !required.includes(name)),
  );
  return [...new Set(names)];
}
