"use client";

import { PROPERTY_TYPES } from "#lib/contract/wire/json-schema";
import type { DataField } from "@/components/canvas/document/earlier-data";
import type { Path } from "@/components/canvas/document/edit-data";
import { ItemList } from "@/components/canvas/panel/fields/item-list";
import { MapByName } from "@/components/canvas/panel/fields/map-by-name";
import { useNodeField, useNodeList } from "@/components/canvas/panel/fields/panel-context";
import { ChoiceField, PlainField, TYPE_OPTIONS } from "@/components/canvas/panel/fields/plain-field";
import { TemplateField } from "@/components/canvas/panel/fields/template-field";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Checkbox } from "@/components/ui/forms/checkbox";

/** Edits the output that the caller gets: one box per property. */
export function ReturnOutputForm() {
  const properties = useNodeList(["properties"]);
  const field = useNodeField(["properties"]);
  function map(found: ReadonlyMap<string, DataField>) {
    const given = properties.map((item) => ({
      ...item,
      value: found.get(String(item.name))?.expression ?? item.value,
    }));
    const added = Array.from(found, ([name, { type, expression }]) => {
      return { name, type: PROPERTY_TYPES.find((one) => one === type) ?? "string", required: true, value: expression };
    });
    field.set(properties.some(({ name }) => name) ? given : added);
  }
  return (
    <ItemList
      path={["properties"]}
      title="Fields returned to the caller"
      aside={<MapByName names={properties.map(({ name }) => String(name ?? ""))} onMap={map} />}
      noun="field"
      empty="No fields: the caller gets an empty object."
      createItem={() => ({ name: "", type: "string", required: true, value: "" })}
    >
      {(path) => (
        <>
          <div className="grid grid-cols-[1fr_104px] gap-2">
            <PlainField path={[...path, "name"]} label="Name" isMono placeholder="refund_id" />
            <ChoiceField path={[...path, "type"]} label="Type" options={TYPE_OPTIONS} fallback="string" />
          </div>
          <TemplateField path={[...path, "value"]} label="Value" placeholder="{{step.field}} or fixed text" />
          <RequiredOutput path={path} />
        </>
      )}
    </ItemList>
  );
}

function RequiredOutput({ path }: { path: Path }) {
  const required = useNodeField([...path, "required"]);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  return (
    <Checkbox
      label="Required: a null fails the run"
      isChecked={required.value === true}
      onChange={(isRequired) => required.set(isRequired)}
      disabled={isReadOnly}
    />
  );
}
