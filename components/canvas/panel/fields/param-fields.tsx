"use client";

import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { readOptionSource } from "#lib/contract/action/field-options";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject } from "#lib/support/json";
import { fieldName } from "@/components/canvas/document/edit-data";
import { parseBody, parseLiteral, printBody } from "@/components/canvas/expressions/literal-values";
import { focusField } from "@/components/canvas/panel/fields/focus-field";
import { expressionsOf, MapByName } from "@/components/canvas/panel/fields/map-by-name";
import { OptionField, OptionInserter } from "@/components/canvas/panel/fields/option-field";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { ChoiceField, PlainField } from "@/components/canvas/panel/fields/plain-field";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";
import {
  isExpression,
  type OptionsOfField,
  useOptionsOfField,
} from "@/components/canvas/panel/fields/use-field-options";

interface ParamFieldsProps {
  /** A JSON Schema of an object; each property gets a field. */
  schema: JsonObject;
  /** False when no step runs before, as in a trigger, so the params can't contain expressions. */
  hasExpressions?: boolean;
  /** Path of the params in the node's data. */
  path?: readonly string[];
}

const PARAMS = ["params"];

/** Edits the params of an operation or a trigger, as described by its connector. */
export function ParamFields({ schema, hasExpressions = true, path = PARAMS }: ParamFieldsProps) {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const params = useNodeField([...path]);
  const given = isJsonObject(params.value) ? params.value : {};
  const names = Object.keys(properties);
  return (
    <>
      {hasExpressions && names.length > 1 ? (
        <MapByName names={names} onMap={(found) => params.set({ ...given, ...expressionsOf(found) })} />
      ) : null}
      {Object.entries(properties).map(([name, property]) => (
        <ParamField
          key={name}
          name={name}
          path={[...path, name]}
          property={isJsonObject(property) ? property : {}}
          isRequired={required.has(name)}
          hasExpressions={hasExpressions}
          titleOf={(param) => titleOf(param, properties[param])}
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
  /** Returns the title that users see for another param. */
  titleOf?: (param: string) => string;
}

/** Edits one param of any shape: a fixed set of words, a service's choices, text, or JSON. */
export function ParamField(props: ParamFieldProps) {
  const { name, path, property, isRequired } = props;
  const options = optionsOf(property);
  const offered = useOptionsOfField(name, readOptionSource(property));
  if (options !== null)
    return <WordField path={path} isRequired={isRequired} options={options} label={titleOf(name, property)} />;
  if (offered === null) return <TypedField {...props} hint={isRequired ? undefined : "optional"} />;
  return shapeOf(property) === "json" ? (
    <GrowingField {...props} of={offered} />
  ) : (
    <OfferedField {...props} of={offered} />
  );
}

/** Edits one of a service's choices, an expression, or a value that the user types. */
function OfferedField({ of, ...props }: ParamFieldProps & { of: OptionsOfField }) {
  const { name, path, property, isRequired, hasExpressions, titleOf: titles = (param) => param } = props;
  const { value } = useNodeField([...path]);
  const [isTyping, setTyping] = useState(isExpression(value));
  const box = useRef<HTMLDivElement>(null);
  function change() {
    flushSync(() => setTyping(!isTyping));
    // The focus stays with the field that the button belongs to.
    focusField(box.current, fieldName(path));
  }
  const turn = (words: string) => (
    <button type="button" className="link" onClick={change}>
      {words}
    </button>
  );
  // An expression stays an expression until the user removes it.
  const isTyped = isTyping || isExpression(value);
  return (
    <div ref={box} className="flex flex-col gap-1">
      {isTyped ? (
        <TypedField {...props} hint={isExpression(value) ? undefined : turn("Choose from the list")} />
      ) : (
        <OptionField
          path={path}
          isRequired={isRequired}
          of={of}
          label={titleOf(name, property)}
          titleOf={titles}
          parse={(text) => parseText(shapeOf(property), text)}
          hint={turn(hasExpressions ? "Use an expression instead" : "Type a value instead")}
          description={descriptionOf(property)}
        />
      )}
    </div>
  );
}

/** A list, or values by name, with a button that adds a service's choices. */
function GrowingField({ of, ...props }: ParamFieldProps & { of: OptionsOfField }) {
  const { name, path, property, titleOf: titles = (param) => param } = props;
  const field = useNodeField([...path], { isDeep: true });
  const isByName = describesObject(property);
  const { value = isByName ? {} : [] } = field;
  const canGrow = isByName ? isJsonObject(value) : Array.isArray(value);
  function add(chosen: string | number) {
    if (Array.isArray(value)) field.set(value.includes(chosen) ? value : [...value, chosen]);
    else if (isJsonObject(value)) field.set({ [chosen]: "", ...value });
  }
  const hint = <OptionInserter label={titleOf(name, property)} of={of} titleOf={titles} onChoose={add} />;
  return <TypedField {...props} hint={canGrow ? hint : undefined} />;
}

/** Edits text or JSON that may contain expressions. */
function TypedField({ name, path, property, hasExpressions, hint }: ParamFieldProps & { hint: ReactNode }) {
  const label = titleOf(name, property);
  const shape = shapeOf(property);
  const isWide = shape === "json";
  const expects = shape === "number" || shape === "boolean" ? shape : undefined;
  const common = {
    path,
    label,
    hint,
    description: descriptionOf(property),
    ...(isWide ? { rows: 3, print: printBody, parse: parseBody } : { parse: (text: string) => parseText(shape, text) }),
    placeholder: isWide ? placeholderOf(property) : shape === "boolean" ? "true or false" : "",
  };
  return hasExpressions ? (
    <TemplateField {...common} isDeep={isWide} {...(expects === undefined ? {} : { expects })} />
  ) : (
    <PlainField {...common} isMultiline={isWide} />
  );
}

function descriptionOf({ description }: JsonObject): string | undefined {
  return typeof description === "string" ? description : undefined;
}

/** For a nullable schema, returns the title of its value. */
function titleOf(name: string, property: unknown): string {
  if (!isJsonObject(property)) return name;
  if (typeof property.title === "string") return property.title;
  const inner = Array.isArray(property.anyOf)
    ? property.anyOf.filter(isJsonObject).find((item) => item.title)
    : undefined;
  return typeof inner?.title === "string" ? inner.title : name;
}

function describesObject({ type, anyOf }: JsonObject): boolean {
  if (Array.isArray(anyOf)) return anyOf.filter(isJsonObject).some(describesObject);
  return type === "object";
}

interface WordFieldProps {
  path: readonly string[];
  label: string;
  isRequired: boolean;
  options: readonly { value: string; label: string }[];
}

/** Edits a choice of a few words, or none. */
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

/** Returns the first alternative of a schema that has the information. */
function shapeOf(schema: JsonObject): Shape {
  const { anyOf } = schema;
  // OpenAPI 3.1 writes a nullable value as a union of types.
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

/** Returns the words of an enum, which may include `null`. */
function optionsOf(schema: JsonObject): { value: string; label: string }[] | null {
  const own = Array.isArray(schema.enum) ? schema.enum : null;
  const nested = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isJsonObject).find((item) => item.enum) : undefined;
  const values = own ?? (Array.isArray(nested?.enum) ? nested.enum : null);
  return values?.map((value) => ({ value: String(value), label: String(value) })) ?? null;
}

/** An expression is text in any field; undefined removes the param. */
function parseText(shape: Shape, text: string): unknown {
  if (text === "" || shape === "json") return text === "" ? undefined : text;
  if (shape === "number") return parseLiteral("number", text);
  return shape === "boolean" ? parseLiteral("boolean", text) : text;
}

function placeholderOf({ type }: JsonObject): string {
  return type === "array" ? "[ ]" : "{ }";
}
