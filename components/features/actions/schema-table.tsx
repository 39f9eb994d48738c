import type { PropertySchema } from "#lib/contract/wire/json-schema";
import { orderedProperties } from "@/components/features/actions/ordered-properties";

interface SchemaTableProps {
  properties: Record<string, PropertySchema>;
  /** Null for an output, which may contain anything. */
  required: readonly string[] | null;
}

/** Lists the fields of a schema: name, type and whether it is required, with the description below. */
export function SchemaTable({ properties, required }: SchemaTableProps) {
  if (Object.keys(properties).length === 0) return <p className="text-text-2">No fields.</p>;
  return (
    <div className="rounded-3 border border-border">
      <Fields properties={properties} required={required} />
    </div>
  );
}

function Fields({ properties, required }: SchemaTableProps) {
  const entries = orderedProperties(properties, required ?? []);
  return (
    <ul className="divide-y divide-border">
      {entries.map(([name, property]) => (
        <li key={name} className="px-3 py-2">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <code className="font-mono text-dense font-medium [overflow-wrap:anywhere]">{name}</code>
            <code className="font-mono text-dense text-text-2">{typeWords(property)}</code>
            {required === null ? null : (
              <span className={required.includes(name) ? "ml-auto" : "ml-auto text-text-3"}>
                {required.includes(name) ? "required" : property.deprecated ? "deprecated" : "optional"}
              </span>
            )}
          </p>
          {property.description === undefined ? null : <p className="text-text-2">{property.description}</p>}
          {property.enum === undefined ? null : <Values words="One of" values={property.enum} />}
          {property.default === undefined ? null : <Values words="Default" values={[property.default]} />}
          <Bounds property={property} />
          <InnerFields property={property} />
        </li>
      ))}
    </ul>
  );
}

/** Lists the fields of an object, or of the objects in a list, below it. */
function InnerFields({ property }: { property: PropertySchema }) {
  const inner = property.type === "array" ? property.items : property;
  if (inner === undefined) return null;
  const isListOfLists = inner !== property && inner.type === "array";
  return (
    <>
      {inner === property ? null : <Bounds property={inner} words="Each item" />}
      {isListOfLists ? <InnerFields property={inner} /> : null}
      {inner.properties === undefined || Object.keys(inner.properties).length === 0 ? null : (
        <div className="mt-2 border-border border-l pl-1">
          <Fields properties={inner.properties} required={inner.required ?? []} />
        </div>
      )}
    </>
  );
}

/** The bounds as the schema names them, such as `minLength 3`. */
function Bounds({ property, words = "" }: { property: PropertySchema; words?: string }) {
  const { minLength, maxLength, pattern, minimum, maximum, minItems, maxItems } = property;
  const bounds = Object.entries({ minLength, maxLength, pattern, minimum, maximum, minItems, maxItems });
  const given = bounds.filter(([, bound]) => bound !== undefined).map(([name, bound]) => `${name} ${bound}`);
  if (given.length === 0) return null;
  return (
    <p className="text-text-2">
      {words} <code className="font-mono text-dense [overflow-wrap:anywhere]">{given.join(", ")}</code>
    </p>
  );
}

function typeWords({ type, items }: PropertySchema): string {
  return type === "array" && items ? `array of ${typeWords(items)}` : type;
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
