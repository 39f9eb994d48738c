"use client";

import { X } from "lucide-react";
import { formatDateTime } from "#lib/support/format/format-moment";
import type { Reader } from "#lib/support/format/reader";
import { useOperation } from "@/components/api/operation-hooks";
import { useListSettings } from "@/components/features/runs/list/list-settings";
import { RANGE_LABELS, type RunListFilters } from "@/components/features/runs/list/run-filters";
import { useWorkflowNames } from "@/components/features/runs/use-workflow-names";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { RUN_SOURCE_WORDS } from "@/components/words/run-sources";
import { RUN_STATUS_WORDS } from "@/components/words/run-status-words";
import { shortId } from "@/components/words/short-id";
import { useReader } from "@/components/words/use-reader";

interface FilterChipsProps {
  filters: RunListFilters;
  /** The message of the group of errors that the list is limited to, once a run of it is known. */
  groupMessage: string | null;
  /** Null clears everything. */
  onChange: (next: Partial<RunListFilters> | null) => void;
}

interface ActiveFilter {
  label: string;
  text: string;
  /** The patch that removes the filter. */
  without: Partial<RunListFilters>;
}

/** Shows every active filter of a filtered list, each with a button to remove it. */
export function FilterChips({ filters, groupMessage, onChange }: FilterChipsProps) {
  const keyName = useKeyName(filters.key);
  const { nameOf } = useWorkflowNames();
  // The filters are in the URL, so the server renders them too.
  const own = useReader();
  const reader = useListSettings()[0].times === "utc" ? { ...own, timeZone: "UTC" } : own;
  return (
    <ul aria-label="Filters" className="flex flex-wrap items-center gap-1.5 border-b border-border px-3 py-1.5 sm:px-4">
      {listActive(filters, { keyName, nameOf, groupMessage }, reader).map(({ label, text, without }) => (
        <li
          key={label}
          className="flex h-6 max-w-full items-center gap-1 rounded-full bg-accent-weak pl-2.5 text-dense"
        >
          <span className="min-w-0 truncate">
            <span className="text-text-2">{label}</span> {text}
          </span>
          <button
            type="button"
            aria-label={`Remove the filter ${label} ${text}`}
            onClick={() => onChange(without)}
            className="flex size-6 shrink-0 items-center justify-center rounded-full text-text-2 hover:text-text"
          >
            <X aria-hidden className="size-3" />
          </button>
        </li>
      ))}
      <li>
        <Button size="sm" variant="ghost" onClick={() => onChange(null)}>
          Clear
        </Button>
      </li>
    </ul>
  );
}

interface Names {
  keyName: string;
  nameOf: (workflowId: string) => string;
  groupMessage: string | null;
}

function listActive(filters: RunListFilters, { keyName, nameOf, groupMessage }: Names, reader: Reader): ActiveFilter[] {
  const { status, source, action, workflow, version, key, correlation, error, group, range } = filters;
  const words = status.map((word) => RUN_STATUS_WORDS[word]).join(", ");
  const sources = source.map((word) => RUN_SOURCE_WORDS[word]).join(", ");
  const all: (ActiveFilter | null)[] = [
    status.length === 0 ? null : { label: "Status", text: words, without: { status: [] } },
    source.length === 0 ? null : { label: "Source", text: sources, without: { source: [] } },
    action === null ? null : { label: "Action", text: action, without: { action: null, version: null } },
    workflow === null
      ? null
      : { label: "Workflow", text: nameOf(workflow), without: { workflow: null, version: null } },
    version === null ? null : { label: "Version", text: `v${version}`, without: { version: null } },
    key === null ? null : { label: "Key", text: keyName, without: { key: null } },
    correlation === null ? null : { label: "Correlation ID", text: correlation, without: { correlation: null } },
    group === null ? null : { label: "Same error", text: groupMessage ?? shortId(group), without: { group: null } },
    error === null ? null : { label: "Error", text: error, without: { error: null } },
    range === "any"
      ? null
      : { label: "Created", text: rangeWords(filters, reader), without: { range: "any", after: null, before: null } },
  ];
  return all.filter((filter) => filter !== null);
}

function rangeWords({ range, after, before }: RunListFilters, reader: Reader): string {
  if (range !== "custom") return RANGE_LABELS[range].toLowerCase();
  const from = after === null ? "" : `from ${formatDateTime(after, reader)}`;
  const to = before === null ? "" : `to ${formatDateTime(before, reader)}`;
  return [from, to].filter(Boolean).join(" ") || "in a custom range";
}

function useKeyName(keyId: string | null): string {
  const isAdmin = useHasRole("admin");
  const keys = useOperation("list_keys", { limit: 100 }, { enabled: keyId !== null && isAdmin, staleTime: 60_000 });
  if (keyId === null) return "";
  return keys.data?.data.find((key) => key.key_id === keyId)?.name ?? shortId(keyId);
}
