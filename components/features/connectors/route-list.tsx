"use client";

import type { ReactNode } from "react";
import { useState } from "react";
import type { ConnectorRoute } from "#lib/contract/connector/connector";
import { SearchField } from "@/components/ui/forms/search-field";
import { Section } from "@/components/ui/lists/section";

interface RouteListProps {
  routes: readonly ConnectorRoute[];
  /** Content to the right of each operation. */
  renderAction?: (route: ConnectorRoute) => ReactNode;
}

/** Shorter lists need no search. */
const SEARCHABLE = 8;

/** Lists the operations of a connector as requests. */
export function RouteList({ routes, renderAction }: RouteListProps) {
  const [search, setSearch] = useState("");
  const words = search.trim().toLowerCase();
  const found = routes.filter(({ operation, name, path }) =>
    `${operation} ${name} ${path}`.toLowerCase().includes(words),
  );
  return (
    <Section title="Operations">
      {routes.length < SEARCHABLE ? null : (
        <SearchField label="Search operations" value={search} onChange={setSearch} />
      )}
      {found.length === 0 ? <p className="text-text-2">No operations match.</p> : null}
      <ul className="divide-y divide-border rounded-2 border border-border empty:hidden">
        {found.map((route) => (
          <li key={route.operation} className="flex items-start gap-3 px-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-medium">{route.name}</span>
                {route.name === route.operation ? null : (
                  <code className="font-mono text-dense text-text-3 [overflow-wrap:anywhere]">{route.operation}</code>
                )}
              </p>
              <p className="font-mono text-dense text-text-2 [overflow-wrap:anywhere]">
                {route.method} {route.path}
              </p>
            </div>
            {renderAction?.(route)}
          </li>
        ))}
      </ul>
    </Section>
  );
}
