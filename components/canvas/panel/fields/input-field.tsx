"use client";

import type { ReactNode } from "react";
import { LIMITS } from "#lib/contract/limits";
import { PROPERTY_TYPES, type PropertyType } from "#lib/contract/wire/json-schema";
import type { Path } from "@/components/canvas/document/edit-data";
import {
  parseLiteral,
  parseLiteralLines,
  printLiteral,
  printLiteralLines,
} from "@/components/canvas/expressions/literal-values";
import { FieldName } from "@/components/canvas/panel/fields/field-name";
import { ItemList } from "@/components/canvas/panel/fields/item-list";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { ChoiceField, PlainField, TYPE_OPTIONS } from "@/components/canvas/panel/fields/plain-field";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Checkbox } from "@/components/ui/forms/checkbox";

type Item = Record<string, unknown>;

/** What a value of each type can say about its size: the keyword, its label and what its value is. */
const RULES: Record<PropertyType, readonly { keyword: string; label: string; type: PropertyType }[]> = {
  string: [
    { keyword: "minLength", label: "Minimum length", type: "integer" },
    { keyword: "maxLength", label: "Maximum length", type: "integer" },
    { keyword: "pattern", label: "Pattern", type: "string" },
  ],
  number: [
    { keyword: "minimum", label: "Minimum", type: "number" },
    { keyword: "maximum", label: "Maximum", type: "number" },
  ],
  integer: [
    { keyword: "minimum", label: "Minimum", type: "number" },
    { keyword: "maximum", label: "Maximum", type: "number" },
  ],
  boolean: [],
  array: [
    { keyword: "minItems", label: "Minimum items", type: "integer" },
    { keyword: "maxItems", label: "Maximum items", type: "integer" },
  ],
  object: [],
};
/** The keywords that only some types have, so that a field of another type loses them. */
const TYPED_KEYS = [
  "items",
  "properties",
  ...Object.values(RULES).flatMap((rules) => rules.map((rule) => rule.keyword)),
];

export function typeOf(value: unknown): PropertyType {
  return PROPERTY_TYPES.find((type) => type === value) ?? "string";
}

/** Returns a value of another type, with what the old and the new type have in common. */
function withType(item: Item, type: PropertyType): Item {
  const lost = TYPED_KEYS.filter((key) => !RULES[type].some((rule) => rule.keyword === key));
  const kept = Object.fromEntries(Object.entries(item).filter(([key]) => !lost.includes(key)));
  const translate = (value: unknown) => parseLiteral(type, printLiteral(value));
  return {
    ...kept,
    type,
    ...(item.default === undefined ? {} : { default: translate(item.default) }),
    ...(Array.isArray(item.enum) ? { enum: item.enum.map(translate) } : {}),
  };
}

interface InputFieldProps {
  path: Path;
  item: Item;
  /** How many fields and lists the field is in. */
  depth?: number;
  children?: ReactNode;
}

/** Edits a field of the input, or of an object inside it. */
export function InputField({ path, item, depth = 1, children }: InputFieldProps) {
  const field = useNodeField(path);
  const required = useNodeField([...path, "required"]);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  return (
    <>
      <div className="grid grid-cols-[1fr_104px] gap-2">
        <FieldName itemPath={path} placeholder="order_id" />
        <ChoiceField
          path={[...path, "type"]}
          label="Type"
          options={TYPE_OPTIONS}
          fallback="string"
          onChoose={(type) => field.set(withType(item, typeOf(type)))}
        />
      </div>
      <Checkbox
        label="Required"
        isChecked={required.value === true}
        onChange={(isRequired) => required.set(isRequired)}
        disabled={isReadOnly}
      />
      <InnerValue path={path} item={item} depth={depth} />
      {children ?? <ValueDetails path={path} item={item} summary="Description, choices" />}
    </>
  );
}

/** Edits what an object or a list contains, as deep as an input may declare it. */
function InnerValue({ path, item, depth }: { path: Path; item: Item; depth: number }) {
  const type = typeOf(item.type);
  if (depth >= LIMITS.inputDepth) return null;
  if (type === "array") return <ListItems path={path} item={item} depth={depth} />;
  if (type !== "object") return null;
  return (
    <ItemList
      path={[...path, "properties"]}
      title="Fields of the object"
      label={`Fields of ${item.name || path.join(".")}`}
      noun="inner field"
      empty="Any fields."
      createItem={() => ({ name: "", type: "string", required: true })}
    >
      {(inner, innerItem) => <InputField path={inner} item={innerItem} depth={depth + 1} />}
    </ItemList>
  );
}

function ListItems({ path, item, depth }: { path: Path; item: Item; depth: number }) {
  const field = useNodeField([...path, "items"]);
  const options = [{ value: "any", label: "any type" }, ...TYPE_OPTIONS];
  const items = item.items as Item | undefined;
  return (
    <>
      <ChoiceField
        path={[...path, "items", "type"]}
        label="Item type"
        options={options}
        fallback="any"
        onChoose={(type) => field.set(type === "any" ? undefined : withType(items ?? {}, typeOf(type)))}
      />
      {items === undefined ? null : <InnerValue path={[...path, "items"]} item={items} depth={depth + 1} />}
    </>
  );
}

interface ValueDetailsProps {
  path: Path;
  item: Item;
  summary: string;
  /** Further details, between the description and the allowed values. */
  children?: ReactNode;
}

/** Edits what few fields need. It is open if any of it is used. */
export function ValueDetails({ path, item, summary, children }: ValueDetailsProps) {
  const type = typeOf(item.type);
  const rules = RULES[type];
  const details = ["description", "default", "enum", "aliases", ...rules.map((rule) => rule.keyword)];
  const isUsed = details.some((key) => item[key] !== undefined);
  return (
    <details open={isUsed || undefined} className="group">
      <summary className="w-fit rounded-1 text-dense text-text-2 hover:text-text">{summary}</summary>
      <div className="mt-2 flex flex-col gap-2.5">
        <PlainField
          path={[...path, "description"]}
          label="Description"
          hint="shown to callers and agents"
          isMultiline
          parse={(text) => (text === "" ? undefined : text)}
        />
        {children}
        <PlainField
          path={[...path, "enum"]}
          label="Allowed values"
          hint="one per line"
          isMono
          isMultiline
          print={printLiteralLines}
          parse={(text) => parseLiteralLines(type, text)}
        />
        {rules.length === 0 ? null : (
          <div className="grid grid-cols-2 gap-2">
            {rules.map((rule) => (
              <PlainField
                key={rule.keyword}
                path={[...path, rule.keyword]}
                label={rule.label}
                isMono
                parse={(text) => parseLiteral(rule.type, text)}
              />
            ))}
          </div>
        )}
      </div>
    </details>
  );
}
