"use client";

import { useCallback, useRef } from "react";
import { ACTION_STATUSES } from "#lib/contract/action/action";
import { useShortcuts } from "@/components/shell/shortcuts";
import { SearchField } from "@/components/ui/forms/search-field";
import { Select } from "@/components/ui/forms/select";
import { Toolbar } from "@/components/ui/lists/toolbar";
import { choiceCodec, textCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const STATUS_FILTERS = ["all", ...ACTION_STATUSES] as const;
const STATUS_LABELS = { all: "Any status", active: "Active", paused: "Paused", archived: "Archived" } as const;
const CODECS = { q: textCodec, status: choiceCodec(STATUS_FILTERS, "all") };

/** The filters of the actions list, kept in the URL. */
export function useActionFilters() {
  return useUrlState(CODECS);
}
export type ActionFilters = ReturnType<typeof useActionFilters>[0];

interface ActionFilterBarProps {
  filters: ActionFilters;
  onChange: (next: Partial<ActionFilters>) => void;
}

export function ActionFilterBar({ filters, onChange }: ActionFilterBarProps) {
  const search = useRef<HTMLInputElement>(null);
  const changeSearch = useCallback((q: string) => onChange({ q: q.trim() }), [onChange]);
  useShortcuts({ "/": () => search.current?.focus() });
  return (
    <Toolbar>
      <SearchField
        label="Search actions"
        value={filters.q}
        onChange={changeSearch}
        inputRef={search}
        className="min-w-40 flex-1 sm:max-w-72"
      />
      <Select
        aria-label="Status"
        value={filters.status}
        onChange={({ target }) =>
          onChange({ status: STATUS_FILTERS.find((status) => status === target.value) ?? "all" })
        }
        className="w-34"
      >
        {STATUS_FILTERS.map((status) => (
          <option key={status} value={status}>
            {STATUS_LABELS[status]}
          </option>
        ))}
      </Select>
    </Toolbar>
  );
}
