"use client";

import { useDeferredValue, useMemo, useState } from "react";
import { BUILD_LIMITS, type DocumentSummary } from "#lib/contract/connector/connector";
import { formatCount } from "#lib/support/format/format-number";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Input } from "@/components/ui/forms/input";
import { Section } from "@/components/ui/lists/section";

export type OfferedOperation = NonNullable<DocumentSummary["list"]>[number];

/** Rows that a group shows at first, and with each press of its button. */
const ROWS = 50;

interface OperationChooserProps {
  offered: readonly OfferedOperation[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** Chooses the operations of a document that become the connector, by tag, by search or one by one. */
export function OperationChooser({ offered, chosen, onChange }: OperationChooserProps) {
  const [search, setSearch] = useState("");
  const tags = useMemo(() => groupByTag(offered), [offered]);
  const words = useDeferredValue(search).trim().toLowerCase();
  const found = useMemo(() => (words === "" ? null : offered.filter((one) => matches(one, words))), [offered, words]);
  const { operations: most } = BUILD_LIMITS;
  const choose = (names: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const name of names) {
      if (isChosen) next.add(name);
      else next.delete(name);
    }
    onChange(next);
  };
  return (
    <Section
      title="Operations of the document"
      description={`A connector has up to ${most} operations. Choose the ones that your workflows need.`}
    >
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className={chosen.size > most ? "text-err" : "text-text-2"}>
          {chosen.size} of {most} chosen
        </p>
        {chosen.size === 0 ? null : (
          <Button size="sm" onClick={() => onChange(new Set())}>
            Clear
          </Button>
        )}
      </div>
      {/* Not a SearchField: that is a form, and this is a part of one. */}
      <Input
        type="search"
        aria-label="Search the document"
        placeholder="Search"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.preventDefault();
        }}
      />
      {found === null ? (
        <ul className="divide-y divide-border rounded-2 border border-border">
          {tags.map(([tag, operations]) => (
            <TagGroup key={tag} tag={tag} operations={operations} chosen={chosen} onChoose={choose} />
          ))}
        </ul>
      ) : found.length === 0 ? (
        <p className="text-text-2">No operations match.</p>
      ) : (
        <div className="rounded-2 border border-border px-3 py-2">
          <OperationRows key={words} operations={found} chosen={chosen} onChoose={choose} />
        </div>
      )}
    </Section>
  );
}

interface RowsProps {
  operations: readonly OfferedOperation[];
  chosen: ReadonlySet<string>;
  onChoose: (names: readonly string[], isChosen: boolean) => void;
}

/** A tag with its operations, which appear when the group is opened. */
function TagGroup({ tag, operations, chosen, onChoose }: RowsProps & { tag: string }) {
  const [isOpen, setOpen] = useState(false);
  const names = operations.map(({ operation }) => operation);
  const count = names.filter((name) => chosen.has(name)).length;
  return (
    <li className="px-3 py-2">
      <div className="flex items-start justify-between gap-3">
        <Checkbox
          label={
            <span className="[overflow-wrap:anywhere]">
              {tag}
              <span className="sr-only">, all operations</span>
            </span>
          }
          description={`${formatCount(names.length, "operation")}, ${count} chosen`}
          isChecked={count === names.length}
          onChange={(isChosen) => onChoose(names, isChosen)}
        />
        <Button
          size="sm"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Hide" : "Show"} the operations of ${tag}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Hide" : "Show"}
        </Button>
      </div>
      {isOpen ? (
        <div className="pt-2 pl-6">
          <OperationRows operations={operations} chosen={chosen} onChoose={onChoose} />
        </div>
      ) : null}
    </li>
  );
}

function OperationRows({ operations, chosen, onChoose }: RowsProps) {
  const [shown, setShown] = useState(ROWS);
  const more = operations.length - shown;
  return (
    <>
      <ul className="flex flex-col gap-2">
        {operations.slice(0, shown).map(({ operation, name, method, path }) => (
          <li key={operation}>
            <Checkbox
              label={<span className="[overflow-wrap:anywhere]">{name}</span>}
              description={
                <span className="font-mono [overflow-wrap:anywhere]">
                  {method} {path}
                </span>
              }
              isChecked={chosen.has(operation)}
              onChange={(isChosen) => onChoose([operation], isChosen)}
            />
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <Button size="sm" className="mt-2" onClick={() => setShown(shown + ROWS)}>
          Show {Math.min(more, ROWS)} more
        </Button>
      ) : null}
    </>
  );
}

function groupByTag(offered: readonly OfferedOperation[]): [string, OfferedOperation[]][] {
  const groups = new Map<string, OfferedOperation[]>();
  for (const one of offered) {
    for (const tag of one.tags) {
      const group = groups.get(tag);
      if (group) group.push(one);
      else groups.set(tag, [one]);
    }
  }
  return [...groups].sort(([a], [b]) => a.localeCompare(b));
}

function matches({ operation, name, method, path, tags }: OfferedOperation, words: string): boolean {
  return `${operation} ${name} ${method} ${path} ${tags.join(" ")}`.toLowerCase().includes(words);
}
