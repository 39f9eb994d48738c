import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { InputSchema, PropertyType } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import { fitsType } from "#lib/core/input/property-data";
import { sizedCache } from "#lib/support/sized-cache";

/** Only the first few errors of a list are reported, even if it has a million wrong items. */
const MAX_ITEM_ERRORS = 10;

interface ItemsValidator {
  (items: unknown[], context?: { instancePath: string }): boolean;
  errors?: Partial<ErrorObject>[];
}

/** Validates `items: {type}` like ajv, but with a limit on the number of errors. */
function compileItems({ type }: { type: PropertyType }): ItemsValidator {
  const validate: ItemsValidator = (items, context) => {
    const errors: Partial<ErrorObject>[] = [];
    for (let index = 0; index < items.length && errors.length < MAX_ITEM_ERRORS; index += 1) {
      if (fitsType(type, items[index])) continue;
      errors.push({ keyword: "type", instancePath: `${context?.instancePath ?? ""}/${index}`, params: { type } });
    }
    validate.errors = errors;
    return errors.length === 0;
  };
  return validate;
}

// `strict` and the meta-schema protect handwritten schemas; ours are derived. With ownProperties, `toString` does not
// count as a field.
const ajv = new Ajv({
  allErrors: true,
  strict: false,
  ownProperties: true,
  messages: false,
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
});
ajv.removeKeyword("items");
ajv.addKeyword({ keyword: "items", type: "array", compile: compileItems, errors: "full" });

/** A version has one schema object, so its identity finds the validator. A reloaded copy is found by its text. */
const byIdentity = new WeakMap<InputSchema, ValidateFunction>();
const byText = sizedCache<string, ValidateFunction>(LIMITS.schemaCacheBytes);

/** Returns the validator of an action's input. It is compiled once per schema, which takes about a millisecond. */
export function compileSchema(schema: InputSchema): ValidateFunction {
  const known = byIdentity.get(schema);
  if (known) return known;
  const text = JSON.stringify(schema);
  let validator = byText.get(text);
  if (!validator) {
    validator = compile(schema);
    byText.set(text, validator, text.length);
  }
  byIdentity.set(schema, validator);
  return validator;
}

function compile(schema: InputSchema): ValidateFunction {
  // Keeps only what validates: descriptions and defaults would only make the generated code larger.
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [
      name,
      {
        type: property.type,
        ...(property.enum ? { enum: property.enum } : {}),
        ...(property.items ? { items: property.items } : {}),
      },
    ]),
  );
  const used = { type: "object", properties, required: schema.required };
  const validator = ajv.compile(used);
  // ajv keeps every schema that it compiled, without a limit; the caches above have one.
  ajv.removeSchema(used);
  return validator;
}
