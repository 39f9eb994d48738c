"use client";

import { SlidersHorizontal } from "lucide-react";
import { useRouter } from "next/navigation";
import { useCallback, useState } from "react";
import { RUN_SOURCES, RUN_STATUSES } from "#lib/contract/run";
import { useOperation } from "@/components/api/operation-hooks";
import { FilterChips } from "@/components/features/runs/list/filter-chips";
import { FilterMenu } from "@/components/features/runs/list/filter-menu";
import { MoreRunFilters } from "@/components/features/runs/list/more-run-filters";
import {
  hasMoreFilters,
  RANGE_LABELS,
  RANGES,
  type Range,
  type RunListFilters,
} from "@/components/features/runs/list/run-filters";
import { Button } from "@/components/ui/button";
import { SearchField } from "@/components/ui/forms/search-field";
import { Select } from "@/components/ui/forms/select";
import { Toolbar } from "@/components/ui/lists/toolbar";
import { RUN_SOURCE_WORDS } from "@/components/words/run-sources";
import { RUN_STATUS_LOOK } from "@/components/words/status";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface RunFilterBarProps {
  filters: RunListFilters;
  /** Null clears everything. */
  onChange: (next: Partial<RunListFilters> | null) => void;
}

export function RunFilterBar({ filters, onChange }: RunFilterBarProps) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const hasMore = isOpen || hasMoreFilters(filters);
  const search = useCallback(
    (text: string) => {
      const id = text.trim();
      if (UUID.test(id)) router.push(`/runs/${id.toLowerCase()}`);
      else onChange({ correlation: id === "" ? null : id });
    },
    [router, onChange],
  );
  return (
    <>
      <Toolbar>
        <SearchField
          label="Run id or correlation id"
          value={filters.correlation ?? ""}
          onChange={search}
          isMono
          className="w-full sm:w-64"
        />
        <FilterMenu
          label="Status"
          options={RUN_STATUSES}
          labelOf={(status) => RUN_STATUS_LOOK[status].word}
          chosen={filters.status}
          onChange={(status) => onChange({ status })}
        />
        <FilterMenu
          label="Source"
          options={RUN_SOURCES}
          labelOf={(source) => RUN_SOURCE_WORDS[source]}
          chosen={filters.source}
          onChange={(source) => onChange({ source })}
        />
        <ActionSelect
          chosen={filters.action}
          onChange={(action) => onChange({ action, ...(action === null ? { version: null } : {}) })}
        />
        <RangeSelect
          chosen={filters.range}
          onChange={(range) => onChange({ range, ...(range === "custom" ? {} : { after: null, before: null }) })}
        />
        <Button
          variant="ghost"
          aria-expanded={hasMore}
          disabled={hasMoreFilters(filters)}
          onClick={() => setIsOpen(!isOpen)}
        >
          <SlidersHorizontal aria-hidden className="size-3.5" />
          More
        </Button>
      </Toolbar>
      {hasMore ? <MoreRunFilters filters={filters} onChange={onChange} /> : null}
      <FilterChips filters={filters} onChange={onChange} />
    </>
  );
}

interface ActionSelectProps {
  chosen: string | null;
  onChange: (slug: string | null) => void;
}

function ActionSelect({ chosen, onChange }: ActionSelectProps) {
  const actions = useOperation("list_actions", { status: "all", limit: 100 }, { staleTime: 60_000 });
  return (
    <Select
      aria-label="Action"
      value={chosen ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? null : target.value)}
      className="w-36 grow sm:w-40 sm:grow-0"
    >
      <option value="">Any action</option>
      {withChosen(actions.data?.data.map((action) => action.slug) ?? [], chosen).map((slug) => (
        <option key={slug} value={slug}>
          {slug}
        </option>
      ))}
    </Select>
  );
}

function RangeSelect({ chosen, onChange }: { chosen: Range; onChange: (range: Range) => void }) {
  return (
    <Select
      aria-label="Created"
      value={chosen}
      onChange={({ target }) => onChange(RANGES.find((range) => range === target.value) ?? "any")}
      className="w-36 grow sm:grow-0"
    >
      {RANGES.map((range) => (
        <option key={range} value={range}>
          {RANGE_LABELS[range]}
        </option>
      ))}
    </Select>
  );
}

/** The action in the URL stays an option even if it is not among the listed ones. */
function withChosen(slugs: readonly string[], chosen: string | null): readonly string[] {
  return chosen === null || slugs.includes(chosen) ? slugs : [chosen, ...slugs];
}
