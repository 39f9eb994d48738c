import type { CarriedValue } from "#lib/core/graph/extract/carry-values";

interface CarriedListProps {
  title: string;
  values: readonly CarriedValue[];
  empty: string;
}

/** Lists the values that cross the border of the extracted steps. */
export function CarriedList({ title, values, empty }: CarriedListProps) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">{title}</h3>
      {values.length === 0 ? (
        <p className="text-text-2">{empty}</p>
      ) : (
        <ul className="divide-y divide-border rounded-3 border border-border">
          {values.map(({ name, type, expression }) => (
            <li key={expression} className="flex flex-wrap items-baseline gap-x-2 px-3 py-1.5">
              <span className="font-mono">{type === null ? `data.${name}` : name}</span>
              <span className="text-dense text-text-3">{type ?? "any type"}</span>
              <span className="min-w-0 flex-1 truncate text-right font-mono text-dense text-text-2" title={expression}>
                {expression}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
