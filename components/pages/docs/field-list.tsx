import type { JsonObject } from "#lib/contract/wire/json-schema";
import { Prose } from "@/components/pages/docs/prose";
import { allowedValues, boundsWords, typeParts } from "@/components/pages/docs/schema-words";

export interface DocumentedField {
  name: string;
  schema: JsonObject;
  description: string;
  /** Null where it makes no difference: in an answer. */
  isRequired: boolean | null;
}

/** The properties of an object schema, as fields. */
export function fieldsOf(schema: JsonObject, isInput: boolean): DocumentedField[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>;
  const required = (schema.required ?? []) as string[];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: property,
    description: String(property.description ?? ""),
    isRequired: isInput ? required.includes(name) : null,
  }));
}

/** Name, type and meaning of each field. */
export function FieldList({ fields, label }: { fields: readonly DocumentedField[]; label: string }) {
  return (
    <ul aria-label={label} className="divide-y divide-border rounded-3 border border-border">
      {fields.map((field) => (
        <Field key={field.name} field={field} />
      ))}
    </ul>
  );
}

function Field({ field: { name, schema, description, isRequired } }: { field: DocumentedField }) {
  const values = allowedValues(schema);
  const bounds = boundsWords(schema);
  return (
    <li className="px-3 py-2">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <code className="font-mono text-dense font-medium [overflow-wrap:anywhere]">{name}</code>
        <TypeName schema={schema} />
        {isRequired === null ? null : (
          <span className={isRequired ? "ml-auto" : "ml-auto text-text-3"}>{isRequired ? "required" : "optional"}</span>
        )}
      </p>
      {description === "" ? null : (
        <p className="text-text-2">
          <Prose text={description} />
        </p>
      )}
      {values === null ? null : <Values words="One of" values={values} />}
      {schema.default === undefined ? null : <Values words="Default" values={[schema.default]} />}
      {bounds === null ? null : <p className="text-text-2 [overflow-wrap:anywhere]">{bounds}</p>}
    </li>
  );
}

function TypeName({ schema }: { schema: JsonObject }) {
  return (
    <code className="font-mono text-dense text-text-2">
      {typeParts(schema).map(({ words, object }) =>
        object === undefined ? (
          words
        ) : (
          <a key={object} href={`#${object}`} className="link">
            {words}
          </a>
        ),
      )}
    </code>
  );
}

function Values({ words, values }: { words: string; values: readonly unknown[] }) {
  return (
    <p className="text-text-2">
      {words}{" "}
      <code className="font-mono text-dense [overflow-wrap:anywhere]">
        {values.map((value) => JSON.stringify(value)).join(", ")}
      </code>
    </p>
  );
}
