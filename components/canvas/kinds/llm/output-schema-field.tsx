"use client";

import { useState } from "react";
import { isJsonObject } from "#lib/support/json";
import { replaceAt } from "@/components/canvas/document/edit-data";
import { parseBody, printBody } from "@/components/canvas/expressions/literal-values";
import { fieldsOfSchema, schemaOfExample, schemaOfFields } from "@/components/canvas/kinds/llm/schema-fields";
import { InputField } from "@/components/canvas/panel/fields/input-field";
import { ItemList } from "@/components/canvas/panel/fields/item-list";
import { InnerDataProvider, useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { Choice, PlainField } from "@/components/canvas/panel/fields/plain-field";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Textarea } from "@/components/ui/forms/textarea";

const SCHEMA_EXAMPLE = `{
  "type": "object",
  "properties": { "category": { "type": "string" } },
  "required": ["category"]
}`;
const WAYS = [
  { value: "fields", label: "Field by field" },
  { value: "json", label: "JSON Schema" },
];

/** Edits the object that the model returns: field by field, as a JSON Schema, or from an example. */
export function OutputSchemaField() {
  const { value, set } = useNodeField(["output_schema"]);
  const fields = fieldsOfSchema(value);
  const [way, setWay] = useState(value === undefined || fields === null ? "json" : "fields");
  return (
    <>
      {fields === null ? null : <Choice label="Returned object" options={WAYS} value={way} onChoose={setWay} />}
      {way === "fields" && fields !== null ? <SchemaFields /> : <SchemaText />}
      <FromExample
        onUse={(example) => {
          set(schemaOfExample(example));
          setWay("fields");
        }}
      />
    </>
  );
}

/** The fields as they are typed; the step gets a schema of those that are complete. */
function SchemaFields() {
  const { value, set } = useNodeField(["output_schema"]);
  const [typed, setTyped] = useState({ schema: value, properties: fieldsOfSchema(value) ?? [] });
  const isOwn = Object.is(typed.schema, value);
  // Another change, such as undo, replaces what was typed.
  const shown = isOwn ? typed : { schema: value, properties: fieldsOfSchema(value) ?? [] };
  if (!isOwn) setTyped(shown);
  return (
    <InnerDataProvider
      data={{ properties: shown.properties }}
      write={(path, next) => {
        const { properties } = replaceAt({ properties: shown.properties }, path, next) as typeof shown;
        const schema = properties.length === 0 ? undefined : schemaOfFields(properties, value);
        setTyped({ schema, properties });
        set(schema);
      }}
    >
      <ItemList
        path={["properties"]}
        title="Fields that the model returns"
        noun="field"
        empty="No fields: the model returns text only."
        createItem={() => ({ name: "", type: "string", required: true })}
      >
        {(path, item) => <InputField path={path} item={item} />}
      </ItemList>
    </InnerDataProvider>
  );
}

/** Stores the schema as an object when it parses as JSON; otherwise as text, and the panel shows the problem. */
function SchemaText() {
  const { value } = useNodeField(["output_schema"]);
  return (
    <PlainField
      path={["output_schema"]}
      label="Output schema"
      hint={value === undefined ? "optional" : "JSON Schema"}
      isMono
      isMultiline
      rows={value === undefined ? 5 : 8}
      print={printBody}
      parse={parseBody}
      placeholder={SCHEMA_EXAMPLE}
    />
  );
}

/** Turns a pasted JSON object into fields of the same names and types. */
function FromExample({ onUse }: { onUse: (example: Record<string, unknown>) => void }) {
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const [text, setText] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  if (isReadOnly) return null;
  if (text === null) {
    return (
      <Button size="sm" className="self-start" onClick={() => setText("")}>
        Generate from example
      </Button>
    );
  }
  function use() {
    const example = parseBody(text ?? "");
    if (!isJsonObject(example)) return setError("Paste a JSON object, such as the one that the model should return.");
    setText(null);
    setError(null);
    onUse(example);
  }
  return (
    <div className="flex flex-col gap-2">
      <Field label="Example" error={error}>
        {({ required: _required, ...control }) => (
          <Textarea
            {...control}
            isMono
            rows={5}
            autoFocus
            spellCheck={false}
            placeholder={'{ "category": "billing", "urgent": true }'}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div className="flex gap-2">
        <Button size="sm" variant="primary" onClick={use}>
          Use the example
        </Button>
        <Button size="sm" onClick={() => setText(null)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
