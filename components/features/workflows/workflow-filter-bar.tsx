"use client";

import { X } from "lucide-react";
import { useCallback, useRef } from "react";
import { WORKFLOW_SORTS, WORKFLOW_STATES, WORKFLOW_TYPES } from "#lib/contract/workflow/workflow";
import { useOperation } from "@/components/api/operation-hooks";
import { isWorkflowListFiltered, type WorkflowFilters } from "@/components/features/workflows/use-workflow-filters";
import { useShortcuts } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { SearchField } from "@/components/ui/forms/search-field";
import { Select } from "@/components/ui/forms/select";
import { Toolbar } from "@/components/ui/lists/toolbar";

const STATE_LABELS = {
  draft: "Draft only",
  live: "Live",
  changed: "Unpublished changes",
  archived: "Archived",
} as const;
const TYPE_LABELS = { callable: "Callable", event_driven: "Event-driven" } as const;
const SORT_LABELS = { updated: "Last changed", created: "Newest", name: "Name" } as const;

interface WorkflowFilterBarProps {
  filters: WorkflowFilters;
  /** Null clears everything. */
  onChange: (next: Partial<WorkflowFilters> | null) => void;
}

export function WorkflowFilterBar({ filters, onChange }: WorkflowFilterBarProps) {
  const search = useRef<HTMLInputElement>(null);
  useShortcuts({ "/": () => search.current?.focus() });
  const changeSearch = useCallback((q: string) => onChange({ q: q.trim() }), [onChange]);
  return (
    <Toolbar>
      <SearchField
        label="Search workflows"
        value={filters.q}
        onChange={changeSearch}
        inputRef={search}
        className="w-full sm:w-64"
      />
      <ChoiceSelect
        label="State"
        any="Any status"
        options={WORKFLOW_STATES}
        labels={STATE_LABELS}
        value={filters.state}
        onChange={(state) => onChange({ state })}
      />
      <ChoiceSelect
        label="Type"
        any="Any type"
        options={WORKFLOW_TYPES}
        labels={TYPE_LABELS}
        value={filters.type}
        onChange={(type) => onChange({ type })}
      />
      <TagSelect value={filters.tag} onChange={(tag) => onChange({ tag })} />
      <Select
        aria-label="Sort by"
        className="w-auto"
        value={filters.sort}
        onChange={({ target }) => onChange({ sort: WORKFLOW_SORTS.find((sort) => sort === target.value) ?? "updated" })}
      >
        {(["updated", "created", "name"] as const).map((sort) => (
          <option key={sort} value={sort}>
            {SORT_LABELS[sort]}
          </option>
        ))}
      </Select>
      {isWorkflowListFiltered(filters) ? (
        <Button variant="ghost" onClick={() => onChange(null)}>
          <X aria-hidden className="size-3.5" />
          Clear
        </Button>
      ) : null}
    </Toolbar>
  );
}

interface ChoiceSelectProps<T extends string> {
  label: string;
  any: string;
  options: readonly T[];
  labels: Record<T, string>;
  value: T | null;
  onChange: (value: T | null) => void;
}

function ChoiceSelect<T extends string>({ label, any, options, labels, value, onChange }: ChoiceSelectProps<T>) {
  return (
    <Select
      aria-label={label}
      className="w-auto"
      value={value ?? ""}
      onChange={({ target }) => onChange(options.find((option) => option === target.value) ?? null)}
    >
      <option value="">{any}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {labels[option]}
        </option>
      ))}
    </Select>
  );
}

/** Shown only if there are tags: an empty filter is noise. */
function TagSelect({ value, onChange }: { value: string | null; onChange: (tag: string | null) => void }) {
  const tags = useOperation("list_tags", {}).data?.data ?? [];
  if (tags.length === 0 && value === null) return null;
  const isKnown = value === null || tags.some(({ tag }) => tag === value);
  return (
    <Select
      aria-label="Tag"
      className="w-auto max-w-44"
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? null : target.value)}
    >
      <option value="">Any tag</option>
      {isKnown ? null : <option value={value}>{value}</option>}
      {tags.map(({ tag, workflows }) => (
        <option key={tag} value={tag}>
          {tag} ({workflows})
        </option>
      ))}
    </Select>
  );
}
