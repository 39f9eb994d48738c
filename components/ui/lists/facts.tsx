import type { ReactNode } from "react";

interface FactsProps {
  facts: readonly { label: string; value: ReactNode }[];
}

/** Names and values in two columns, stacked on a narrow screen. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className="grid grid-cols-[minmax(96px,auto)_minmax(0,1fr)] items-baseline gap-x-6 gap-y-2">
      {facts.map(({ label, value }) => (
        <div key={label} className="contents">
          <dt className="text-text-3">{label}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
