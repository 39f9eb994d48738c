"use client";

import type { JsonObject } from "#lib/contract/json-schema";
import { isJsonObject } from "#lib/support/json";
import { parseBody, parseLiteral, printBody } from "@/components/canvas/document/literal-values";
import { useNodeField } from "@/components/canvas/panel/panel-context";
import { ChoiceField, PlainField } from "@/components/canvas/panel/plain-field";
import { TemplateField } from "@/components/canvas/panel/template-field";

interface ParamFieldsProps {
  /** JSON Schema of an object: a field for each property. */
  schema: JsonObject;
  /** False where nothing ran before, as in a trigger: its params hold no expressions. */
  hasExpressions?: boolean;
  /** Where they stand in the node's data. */
  path?: readonly string[];
}

const PARAMS = ["params"];

/** The params of an operation or a trigger, as its connector describes them. */
export function ParamFields({ schema, hasExpressions = true, path = PARAMS }: ParamFieldsProps) {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return (
    <>
      {Object.entries(properties).map(([name, property]) => (
        <ParamField
          key={name}
          name={name}
          path={[...path, name]}
          property={isJsonObject(property) ? property : {}}
          isRequired={required.has(name)}
          hasExpressions={hasExpressions}
        />
      ))}
    </>
  );
}

interface ParamFieldProps {
  name: string;
  path: readonly string[];
  property: JsonObject;
  isRequired: boolean;
  hasExpressions: boolean;
}

/** One param, whatever its shape: a few words to choose from, a text, or JSON. */
export function ParamField({ name, path, property, isRequired, hasExpressions }: ParamFieldProps) {
  const label = typeof property.title === "string" ? property.title : name;
  const hint = isRequired ? undefined : "optional";
  const shape = shapeOf(property);
  const description = typeof property.description === "string" ? property.description : null;
  const options = optionsOf(property);
  if (options !== null) return <WordField {...{ path, label, isRequired, options }} />;
  const isWide = shape === "json";
  const expects = shape === "number" || shape === "boolean" ? shape : undefined;
  const common = {
    ...{ path, label, hint },
    ...(isWide ? { rows: 3, print: printBody, parse: parseBody } : { parse: (text: string) => parseText(shape, text) }),
    placeholder: isWide ? placeholderOf(property) : shape === "boolean" ? "true or false" : "",
  };
  return (
    <div className="flex flex-col gap-1">
      {hasExpressions ? (
        <TemplateField {...common} isDeep={isWide} {...(expects === undefined ? {} : { expects })} />
      ) : (
        <PlainField {...common} isMultiline={isWide} />
      )}
      {description === null ? null : <p className="text-dense text-text-3">{description}</p>}
    </div>
  );
}

interface WordFieldProps {
  path: readonly string[];
  label: string;
  isRequired: boolean;
  options: readonly { value: string; label: string }[];
}

/** One of a few words, or none. */
function WordField({ path, label, isRequired, options }: WordFieldProps) {
  const field = useNodeField([...path]);
  return (
    <ChoiceField
      path={[...path]}
      label={label}
      options={isRequired ? options : [NONE, ...options]}
      fallback=""
      onChoose={(value) => field.set(value === "" ? undefined : value)}
    />
  );
}

type Shape = "text" | "number" | "boolean" | "json";

const NONE = { value: "", label: "Not set" };

/** Of a schema that may be a choice of several, the first that tells. */
function shapeOf(schema: JsonObject): Shape {
  const { anyOf } = schema;
  // OpenAPI 3.1 writes what may be null as one of several types.
  const type = Array.isArray(schema.type) ? schema.type.find((item) => item !== "null") : schema.type;
  if (type === "string") return "text";
  if (type === "number" || type === "integer") return "number";
  if (type === "boolean") return "boolean";
  if (Array.isArray(anyOf)) {
    const shapes = anyOf
      .filter(isJsonObject)
      .filter((item) => item.type !== "null")
      .map(shapeOf);
    return shapes.includes("text") ? "text" : (shapes[0] ?? "text");
  }
  return type === "object" || type === "array" ? "json" : "text";
}

/** Of a choice of words, which `null` may be one of. */
function optionsOf(schema: JsonObject): { value: string; label: string }[] | null {
  const own = Array.isArray(schema.enum) ? schema.enum : null;
  const nested = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isJsonObject).find((item) => item.enum) : undefined;
  const values = own ?? (Array.isArray(nested?.enum) ? nested.enum : null);
  return values?.map((value) => ({ value: String(value), label: String(value) })) ?? null;
}

/** An expression is a text in any field; undefined takes the param out. */
function parseText(shape: Shape, text: string): unknown {
  if (text === "" || shape === "json") return text === "" ? undefined : text;
  if (shape === "number") return parseLiteral("number", text);
  return shape === "boolean" ? parseLiteral("boolean", text) : text;
}

function placeholderOf({ type }: JsonObject): string {
  return type === "array" ? "[ ]" : "{ }";
}
