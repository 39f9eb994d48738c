import type { PropertySchema } from "#lib/contract/json-schema";
import { orderedProperties } from "@/components/features/actions/ordered-properties";

interface SchemaTableProps {
  properties: Record<string, PropertySchema>;
  /** Null for an output, which may contain anything. */
  required: readonly string[] | null;
}

/** Lists the fields of a schema: name, type and whether it is required, with the description below. */
export function SchemaTable({ properties, required }: SchemaTableProps) {
  const entries = orderedProperties(properties, required ?? []);
  if (entries.length === 0) return <p className="text-text-2">No fields.</p>;
  return (
    <ul className="divide-y divide-border rounded-3 border border-border">
      {entries.map(([name, property]) => (
        <li key={name} className="px-3 py-2">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <code className="font-mono text-dense font-medium [overflow-wrap:anywhere]">{name}</code>
            <code className="font-mono text-dense text-text-2">{typeWords(property)}</code>
            {required === null ? null : (
              <span className={required.includes(name) ? "ml-auto" : "ml-auto text-text-3"}>
                {required.includes(name) ? "required" : "optional"}
              </span>
            )}
          </p>
          {property.description === undefined ? null : <p className="text-text-2">{property.description}</p>}
          {property.enum === undefined ? null : <Values words="One of" values={property.enum} />}
          {property.default === undefined ? null : <Values words="Default" values={[property.default]} />}
        </li>
      ))}
    </ul>
  );
}

function typeWords(property: PropertySchema): string {
  return property.type === "array" && property.items ? `array of ${property.items.type}` : property.type;
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
