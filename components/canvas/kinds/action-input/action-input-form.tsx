"use client";

import { PROPERTY_TYPES, type PropertyType } from "#lib/contract/json-schema";
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

/** Edits the input of the action: one box per property of the input schema. */
export function ActionInputForm() {
  return (
    <ItemList
      path={["properties"]}
      title="Fields callers send"
      noun="field"
      empty="No fields: callers send an empty object."
      createItem={() => ({ name: "", type: "string", required: true })}
    >
      {(path, item) => <InputProperty path={path} item={item} />}
    </ItemList>
  );
}

function InputProperty({ path, item }: { path: Path; item: Record<string, unknown> }) {
  const type = typeOf(item.type);
  const field = useNodeField(path);
  const required = useNodeField([...path, "required"]);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  /** Converts the default and the allowed values to the new type where possible. */
  function changeType(next: string) {
    const { items: _items, ...rest } = item;
    const translate = (value: unknown) => parseLiteral(typeOf(next), printLiteral(value));
    field.set({
      ...rest,
      type: next,
      ...(item.default === undefined ? {} : { default: translate(item.default) }),
      ...(Array.isArray(item.enum) ? { enum: item.enum.map(translate) } : {}),
    });
  }
  return (
    <>
      <div className="grid grid-cols-[1fr_104px] gap-2">
        <FieldName itemPath={path} placeholder="order_id" />
        <ChoiceField
          path={[...path, "type"]}
          label="Type"
          options={TYPE_OPTIONS}
          fallback="string"
          onChoose={changeType}
        />
      </div>
      <Checkbox
        label="Required"
        isChecked={required.value === true}
        onChange={(isRequired) => required.set(isRequired)}
        disabled={isReadOnly}
      />
      <PropertyDetails path={path} item={item} type={type} />
    </>
  );
}

function PropertyDetails({ path, item, type }: { path: Path; item: Record<string, unknown>; type: PropertyType }) {
  const isUsed = [item.description, item.default, item.enum, item.items].some((value) => value !== undefined);
  return (
    <details open={isUsed || undefined} className="group">
      <summary className="w-fit rounded-1 text-dense text-text-2 hover:text-text">
        Description, default, choices
      </summary>
      <div className="mt-2 flex flex-col gap-2.5">
        <PlainField
          path={[...path, "description"]}
          label="Description"
          hint="shown to callers and agents"
          isMultiline
          parse={(text) => (text === "" ? undefined : text)}
        />
        {type === "array" ? <ItemsType path={path} /> : null}
        <PlainField
          path={[...path, "default"]}
          label="Default"
          hint="used when not sent"
          isMono
          isMultiline={type === "object" || type === "array"}
          parse={(text) => parseLiteral(type, text)}
        />
        <PlainField
          path={[...path, "enum"]}
          label="Allowed values"
          hint="one per line"
          isMono
          isMultiline
          print={printLiteralLines}
          parse={(text) => parseLiteralLines(type, text)}
        />
      </div>
    </details>
  );
}

function ItemsType({ path }: { path: Path }) {
  const field = useNodeField([...path, "items"]);
  const options = [{ value: "any", label: "any type" }, ...TYPE_OPTIONS];
  return (
    <ChoiceField
      path={[...path, "items", "type"]}
      label="Item type"
      options={options}
      fallback="any"
      onChoose={(type) => field.set(type === "any" ? undefined : { type })}
    />
  );
}

function typeOf(value: unknown): PropertyType {
  return (PROPERTY_TYPES as readonly unknown[]).includes(value) ? (value as PropertyType) : "string";
}
