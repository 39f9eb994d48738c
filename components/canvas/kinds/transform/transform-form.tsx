"use client";

import type { DataField } from "@/components/canvas/document/earlier-data";
import { FieldName } from "@/components/canvas/panel/fields/field-name";
import { ItemList } from "@/components/canvas/panel/fields/item-list";
import { MapByName } from "@/components/canvas/panel/fields/map-by-name";
import { useNodeField, useNodeList } from "@/components/canvas/panel/fields/panel-context";
import { Choice } from "@/components/canvas/panel/fields/plain-field";
import { SourceField } from "@/components/canvas/panel/fields/source-field";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";

const WAYS = [
  { value: "fields", label: "Field by field" },
  { value: "jsonata", label: "JSONata expression" },
];

/** Edits the result of a transform: an object field by field, or the value of an expression. */
export function TransformForm() {
  const fields = useNodeField(["fields"]);
  const jsonata = useNodeField(["jsonata"]);
  const isExpression = jsonata.value !== undefined;
  function choose(way: string) {
    if ((way === "jsonata") === isExpression) return;
    fields.set(isExpression ? [{ name: "", value: "" }] : undefined);
    jsonata.set(isExpression ? undefined : "");
  }
  return (
    <>
      <Choice label="Result" options={WAYS} value={isExpression ? "jsonata" : "fields"} onChoose={choose} />
      {isExpression ? <ExpressionField /> : <FieldList />}
    </>
  );
}

function ExpressionField() {
  return (
    <SourceField path={["jsonata"]} label="Expression" rows={6} placeholder="$sum(action_input.items.price)">
      <p className="text-dense text-text-3">Refer to earlier steps by their IDs, without braces.</p>
    </SourceField>
  );
}

function FieldList() {
  const fields = useNodeList(["fields"]);
  const field = useNodeField(["fields"]);
  function map(found: ReadonlyMap<string, DataField>) {
    const given = fields.map((item) => ({ ...item, value: found.get(String(item.name))?.expression ?? item.value }));
    const added = Array.from(found, ([name, { expression }]) => ({ name, value: expression }));
    field.set(fields.some(({ name }) => name) ? given : added);
  }
  return (
    <ItemList
      path={["fields"]}
      title="Result fields"
      aside={<MapByName names={fields.map(({ name }) => String(name ?? ""))} onMap={map} />}
      noun="field"
      empty="No fields: the result is an empty object."
      createItem={() => ({ name: "", value: "" })}
    >
      {(path) => (
        <>
          <FieldName itemPath={path} placeholder="total" />
          <TemplateField
            path={[...path, "value"]}
            label="Value"
            placeholder="{{step.field}} or fixed text"
            hint="a single expression keeps its type"
          />
        </>
      )}
    </ItemList>
  );
}
