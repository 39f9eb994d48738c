"use client";

import { Layers, SlidersHorizontal } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, type ReactNode, Suspense, useCallback, useState } from "react";
import { RUN_SOURCES, RUN_STATUSES } from "#lib/contract/run/run";
import { useOperation } from "@/components/api/operation-hooks";
import { FilterMenu } from "@/components/features/runs/list/filter-menu";
import {
  hasMoreFilters,
  isRunListFiltered,
  NO_ERROR_FILTERS,
  RANGE_LABELS,
  RANGES,
  type Range,
  type RunListFilters,
} from "@/components/features/runs/list/run-filters";
import { useWorkflowNames } from "@/components/features/runs/use-workflow-names";
import { Button } from "@/components/ui/button";
import { SearchField } from "@/components/ui/forms/search-field";
import { Select } from "@/components/ui/forms/select";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { Toolbar } from "@/components/ui/lists/toolbar";
import { useOnIntent } from "@/components/ui/use-on-intent";
import { RUN_SOURCE_WORDS } from "@/components/words/run-sources";
import { RUN_STATUS_WORDS } from "@/components/words/run-status-words";

const loadMore = () => import("@/components/features/runs/list/more-run-filters");
const loadChips = () => import("@/components/features/runs/list/filter-chips");
const MoreRunFilters = lazy(() => loadMore().then((m) => ({ default: m.MoreRunFilters })));
const FilterChips = lazy(() => loadChips().then((m) => ({ default: m.FilterChips })));
const ON_INTENT = [loadMore, loadChips];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface RunFilterBarProps {
  filters: RunListFilters;
  groupMessage: string | null;
  /** The menus at the end of the first row. */
  children: ReactNode;
  /** The page lists the runs of one workflow, so there are no filters by workflow and action. */
  isFixed: boolean;
  /** Null clears everything. */
  onChange: (next: Partial<RunListFilters> | null) => void;
}

export function RunFilterBar({ filters, groupMessage, isFixed, onChange, children }: RunFilterBarProps) {
  useOnIntent(ON_INTENT);
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
          label="Run ID or correlation ID"
          value={filters.correlation ?? ""}
          onChange={search}
          isMono
          className="w-full sm:w-64"
        />
        <FilterMenu
          label="Status"
          options={RUN_STATUSES}
          labelOf={(status) => RUN_STATUS_WORDS[status]}
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
        {isFixed ? null : (
          <>
            <WorkflowSelect
              chosen={filters.workflow}
              onChange={(workflow) => onChange({ workflow, ...(workflow === null ? { version: null } : {}) })}
            />
            <ActionSelect
              chosen={filters.action}
              onChange={(action) => onChange({ action, ...(action === null ? { version: null } : {}) })}
            />
          </>
        )}
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
        <Button
          variant={filters.view === "errors" ? "field-chosen" : "ghost"}
          aria-pressed={filters.view === "errors"}
          onClick={() =>
            onChange(filters.view === "errors" ? { view: "runs" } : { view: "errors", ...NO_ERROR_FILTERS })
          }
        >
          <Layers aria-hidden className="size-3.5" />
          Group errors
        </Button>
        {children === null ? null : <span className="flex gap-2 sm:ml-auto">{children}</span>}
      </Toolbar>
      <LowerRows
        filters={filters}
        groupMessage={groupMessage}
        isFixed={isFixed}
        hasMore={hasMore}
        onChange={onChange}
      />
    </>
  );
}

type LowerRowsProps = Omit<RunFilterBarProps, "children"> & { hasMore: boolean };

/** The less common filters if they are open, and the active filters if there are any. */
function LowerRows({ filters, groupMessage, isFixed, hasMore, onChange }: LowerRowsProps) {
  return (
    <>
      {hasMore ? (
        <Suspense
          fallback={
            <Toolbar>
              <Skeleton className="h-control w-full sm:w-64" />
            </Toolbar>
          }
        >
          <MoreRunFilters filters={filters} isFixed={isFixed} onChange={onChange} />
        </Suspense>
      ) : null}
      {isRunListFiltered(filters) ? (
        // One row of chips high.
        <Suspense fallback={<div className="h-[37px] border-b border-border" />}>
          <FilterChips filters={filters} groupMessage={groupMessage} onChange={onChange} />
        </Suspense>
      ) : null}
    </>
  );
}

interface WorkflowSelectProps {
  chosen: string | null;
  onChange: (workflowId: string | null) => void;
}

/** Lists the runs of a workflow however they were started; an action is only one of its entries. */
function WorkflowSelect({ chosen, onChange }: WorkflowSelectProps) {
  const { workflows, nameOf } = useWorkflowNames();
  const isListed = chosen === null || workflows.some((workflow) => workflow.workflow_id === chosen);
  return (
    <Select
      aria-label="Workflow"
      value={chosen ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? null : target.value)}
      className="w-36 grow sm:w-40 sm:grow-0"
    >
      <option value="">Any workflow</option>
      {isListed ? null : <option value={chosen}>{nameOf(chosen)}</option>}
      {workflows.map((workflow) => (
        <option key={workflow.workflow_id} value={workflow.workflow_id}>
          {workflow.name}
        </option>
      ))}
    </Select>
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
