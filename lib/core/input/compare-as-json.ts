import type { Ajv, ErrorObject } from "ajv";
import { canonicalJson } from "#lib/support/json";

interface Check {
  (value: unknown): boolean;
  errors?: Partial<ErrorObject>[];
}

/**
 * Replaces the keywords of a validator that compare values. Its own comparison calls a value's `toString` and `valueOf`,
 * which can be fields of the caller's data, and takes quadratic time for a list. Values are equal if they are the same
 * JSON, whatever the order of their keys.
 */
export function compareAsJson(ajv: Ajv): void {
  for (const keyword of ["enum", "const", "uniqueItems"]) ajv.removeKeyword(keyword);
  ajv.addKeyword({ keyword: "enum", schemaType: "array", compile: compileEnum, errors: "full" });
  ajv.addKeyword({ keyword: "const", compile: compileConst, errors: "full" });
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    compile: compileUnique,
    errors: "full",
  });
}

function compileEnum(allowedValues: unknown[]): Check {
  return checkOf("enum", { allowedValues }, "must be equal to one of the allowed values", isOneOf(allowedValues));
}

function compileConst(allowedValue: unknown): Check {
  return checkOf("const", { allowedValue }, "must be equal to constant", isOneOf([allowedValue]));
}

function compileUnique(isWanted: boolean): Check {
  const isUnique = (items: unknown) => !Array.isArray(items) || new Set(items.map(canonicalJson)).size === items.length;
  return checkOf("uniqueItems", {}, "must NOT have duplicate items", (items) => !isWanted || isUnique(items));
}

/** Only a value that could be equal is serialized: a list or an object. */
function isOneOf(allowed: readonly unknown[]): (value: unknown) => boolean {
  const isComposed = (value: unknown) => typeof value === "object" && value !== null;
  const simple = new Set(allowed.filter((value) => !isComposed(value)));
  const composed = new Set(allowed.filter(isComposed).map(canonicalJson));
  return (value) => (isComposed(value) ? composed.size > 0 && composed.has(canonicalJson(value)) : simple.has(value));
}

function checkOf(
  keyword: string,
  params: Record<string, unknown>,
  message: string,
  isValid: (value: unknown) => boolean,
): Check {
  const check: Check = (value) => {
    const isFine = isValid(value);
    check.errors = isFine ? [] : [{ keyword, params, message }];
    return isFine;
  };
  return check;
}
