"use client";

import { FieldName } from "@/components/canvas/panel/forms/field-name";
import { ItemList } from "@/components/canvas/panel/forms/item-list";
import { TemplateField } from "@/components/canvas/panel/template-field";

/** The object a transform builds, field by field. */
export function TransformForm() {
  return (
    <ItemList
      path={["fields"]}
      title="Fields of the result"
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
            placeholder="{{step.field}} or a fixed text"
            hint="one expression alone keeps its type"
          />
        </>
      )}
    </ItemList>
  );
}
