"use client";

import type { Path } from "@/components/canvas/document/edit-data";
import { parseLiteral, parseLiteralLines, printLiteralLines } from "@/components/canvas/expressions/literal-values";
import { InputField, typeOf, ValueDetails } from "@/components/canvas/panel/fields/input-field";
import { ItemList } from "@/components/canvas/panel/fields/item-list";
import { PlainField } from "@/components/canvas/panel/fields/plain-field";

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
  return (
    <InputField path={path} item={item}>
      <ValueDetails path={path} item={item} summary="Description, default, choices">
        <PlainField
          path={[...path, "default"]}
          label="Default"
          hint="used when not sent"
          isMono
          isMultiline={type === "object" || type === "array"}
          parse={(text) => parseLiteral(type, text)}
        />
        <PlainField
          path={[...path, "aliases"]}
          label="Old names"
          hint="one per line, still accepted"
          isMono
          isMultiline
          print={printLiteralLines}
          parse={(text) => parseLiteralLines("string", text)}
        />
      </ValueDetails>
    </InputField>
  );
}
