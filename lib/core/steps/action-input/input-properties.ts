import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import type { PropertyType } from "#lib/contract/wire/json-schema";
import { describeMisfit } from "#lib/core/input/describe-misfit";
import { namedProperty, propertyName, uniqueNames } from "#lib/core/input/property-data";
import {
  type DeclaredField,
  type DeclaredValue,
  type InputProperty,
  valueSchema,
} from "#lib/core/steps/action-input/value-schema";
import { canonicalJson } from "#lib/support/json";

const count = z.int("must be a whole number").min(0, "must be at least 0").optional();

/** The types that each keyword checks. For a value of another type it would check nothing. */
const TYPES_OF = {
  minLength: ["string"],
  maxLength: ["string"],
  pattern: ["string"],
  minimum: ["number", "integer"],
  maximum: ["number", "integer"],
  minItems: ["array"],
  maxItems: ["array"],
  items: ["array"],
  properties: ["object"],
} as const satisfies Partial<Record<keyof DeclaredValue, readonly PropertyType[]>>;
const KEYWORDS = Object.keys(TYPES_OF) as (keyof typeof TYPES_OF)[];
const RANGES = [
  ["minLength", "maxLength"],
  ["minimum", "maximum"],
  ["minItems", "maxItems"],
] as const;

const value = {
  type: namedProperty.type,
  description: namedProperty.description,
  enum: z
    .array(z.unknown())
    .min(1, "must contain at least one value")
    .max(200, "must contain at most 200 values")
    .optional(),
  minLength: count,
  maxLength: count,
  pattern: z.string().optional().describe("RE2 syntax; matches anywhere in the text unless it has ^ and $."),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: count,
  maxItems: count,
  items: z
    .lazy(() => inputValue)
    .optional()
    .describe("Describes each item of a list, in the form of a field without a name."),
  properties: z
    .lazy(() => inputFields)
    .optional()
    .describe("The fields of an object, like those of the input but without default and aliases."),
};
const inputValue: z.ZodType<DeclaredValue> = z.object(value).superRefine(checkValue);
const inputField: z.ZodType<DeclaredField> = z
  .object({ name: propertyName, required: z.boolean().default(false), ...value })
  .superRefine(checkValue);
const inputFields: z.ZodType<DeclaredField[]> = z.array(inputField).superRefine(uniqueNames);

const inputProperty: z.ZodType<InputProperty> = z
  .object({
    name: propertyName,
    required: z.boolean().default(false),
    ...value,
    default: z.unknown().optional(),
    aliases: z
      .array(propertyName)
      .min(1, "must contain at least one name")
      .max(LIMITS.inputAliases, `must contain at most ${LIMITS.inputAliases} names`)
      .optional()
      .describe("Old names that callers may still send in place of the name."),
  })
  .superRefine((property, context) => {
    checkValue(property, context);
    // No type of a field allows null, so null is no default.
    if (property.default === undefined || property.default === null) return;
    const message = describeMisfit(valueSchema(property), property.default);
    if (message !== null) context.addIssue({ code: "custom", path: ["default"], message });
  });

/** decisions, The graph document: the properties of an action's input. */
export const inputPropertiesSchema: z.ZodType<InputProperty[]> = z
  .array(inputProperty)
  .max(LIMITS.inputProperties, `must contain at most ${LIMITS.inputProperties} properties`)
  .superRefine(uniqueNames)
  .superRefine(uniqueAliases)
  .superRefine(boundedFields);

/** Reports what no value could satisfy, and keywords that would check nothing. */
function checkValue(given: DeclaredValue, context: z.RefinementCtx): void {
  const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
  const { enum: allowed, ...schema } = valueSchema(given);
  for (const [index, value] of (allowed ?? []).entries()) {
    const message = describeMisfit(schema, value);
    if (message !== null) refuse(["enum", index], message);
  }
  const texts = (allowed ?? []).map(canonicalJson);
  if (new Set(texts).size < texts.length) refuse(["enum"], "must not contain the same value twice");
  for (const keyword of KEYWORDS) {
    const types: readonly PropertyType[] = TYPES_OF[keyword];
    if (given[keyword] === undefined || types.includes(given.type)) continue;
    refuse([keyword], `is only allowed for the type ${types.join(" or ")}`);
  }
  for (const [low, high] of RANGES) {
    const [from, to] = [given[low], given[high]];
    if (from !== undefined && to !== undefined && from > to) refuse([high], `must not be less than ${low}`);
  }
}

/** Limits the fields at all levels, because each call is checked against every one of them. */
function boundedFields(properties: readonly InputProperty[], context: z.RefinementCtx): void {
  let fields = 0;
  const visit = (value: DeclaredValue, depth: number, path: (string | number)[]): void => {
    if (depth > LIMITS.inputDepth) {
      context.addIssue({ code: "custom", path, message: `must not be nested deeper than ${LIMITS.inputDepth} levels` });
      return;
    }
    if (value.items) visit(value.items, depth + 1, [...path, "items"]);
    for (const [index, field] of (value.properties ?? []).entries()) {
      fields += 1;
      visit(field, depth + 1, [...path, "properties", index]);
    }
  };
  for (const [index, property] of properties.entries()) {
    fields += 1;
    visit(property, 1, [index]);
  }
  if (fields <= LIMITS.inputFields) return;
  context.addIssue({
    code: "custom",
    path: [],
    message: `must contain at most ${LIMITS.inputFields} fields at all levels`,
  });
}

/** Reports every old name that is already a name of some field. */
function uniqueAliases(properties: readonly InputProperty[], context: z.RefinementCtx): void {
  const seen = new Set(properties.map((property) => property.name));
  for (const [index, { aliases = [] }] of properties.entries()) {
    for (const [place, alias] of aliases.entries()) {
      if (seen.has(alias)) {
        const message = `must be unique; "${alias}" is already the name of a field`;
        context.addIssue({ code: "custom", path: [index, "aliases", place], message });
      }
      seen.add(alias);
    }
  }
}
