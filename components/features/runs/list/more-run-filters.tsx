"use client";

import { type ReactNode, useCallback } from "react";
import { useOperation } from "@/components/api/operation-hooks";
import { useListSettings } from "@/components/features/runs/list/list-settings";
import type { RunListFilters } from "@/components/features/runs/list/run-filters";
import { useHasRole } from "@/components/shell/session-context";
import { Input } from "@/components/ui/forms/input";
import { SearchField } from "@/components/ui/forms/search-field";
import { Select } from "@/components/ui/forms/select";
import { Toolbar } from "@/components/ui/lists/toolbar";

interface MoreRunFiltersProps {
  filters: RunListFilters;
  /** The page lists the runs of one workflow. */
  isFixed: boolean;
  onChange: (next: Partial<RunListFilters>) => void;
}

/** The less common filters: error text, version, API key and time range. */
export function MoreRunFilters({ filters, isFixed, onChange }: MoreRunFiltersProps) {
  const isAdmin = useHasRole("admin");
  const search = useCallback(
    (text: string) => onChange({ error: text.trim() === "" ? null : text.trim() }),
    [onChange],
  );
  return (
    <Toolbar>
      <SearchField label="Error text" value={filters.error ?? ""} onChange={search} className="w-full sm:w-64" />
      <VersionField filters={filters} isFixed={isFixed} onChange={onChange} />
      {isAdmin ? <KeySelect chosen={filters.key} onChange={(key) => onChange({ key })} /> : null}
      {filters.range === "custom" ? (
        <>
          <Moment label="From" value={filters.after} onChange={(after) => onChange({ after })} />
          <Moment label="To" value={filters.before} onChange={(before) => onChange({ before })} />
        </>
      ) : null}
    </Toolbar>
  );
}

/** Version numbers are per workflow, so the field needs a workflow or an action first. */
function VersionField({ filters: { action, workflow, version }, isFixed, onChange }: MoreRunFiltersProps) {
  const isKnown = isFixed || action !== null || workflow !== null;
  return (
    <Labelled label="Version">
      <Input
        type="number"
        min={1}
        aria-label="Version"
        placeholder={isKnown ? "Any" : "Choose a workflow"}
        disabled={!isKnown}
        value={version ?? ""}
        onChange={({ target }) => {
          const next = Number(target.value);
          onChange({ version: Number.isInteger(next) && next > 0 ? next : null });
        }}
        className={isKnown ? "w-20" : "w-40"}
      />
    </Labelled>
  );
}

function KeySelect({ chosen, onChange }: { chosen: string | null; onChange: (key: string | null) => void }) {
  const keys = useOperation("list_keys", { limit: 100 }, { staleTime: 60_000 });
  return (
    <Select
      aria-label="Key"
      value={chosen ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? null : target.value)}
      className="w-36 grow sm:w-48 sm:grow-0"
    >
      <option value="">Any key</option>
      {keys.data?.data.map((key) => (
        <option key={key.key_id} value={key.key_id}>
          {key.name} ({key.prefix})
        </option>
      ))}
    </Select>
  );
}

interface MomentProps {
  label: string;
  value: string | null;
  onChange: (value: string | null) => void;
}

function Moment({ label, value, onChange }: MomentProps) {
  const isUtc = useListSettings()[0].times === "utc";
  return (
    <Labelled label={isUtc ? `${label} (UTC)` : label}>
      <Input
        type="datetime-local"
        aria-label={label}
        value={value === null ? "" : toFieldText(value, isUtc)}
        onChange={({ target }) => onChange(readFieldText(target.value, isUtc))}
        className="w-52"
      />
    </Labelled>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="flex items-center gap-2 text-text-2">
      <span aria-hidden>{label}</span>
      {children}
    </span>
  );
}

/** Formats an instant for a `datetime-local` field, to the minute, in UTC or in the browser's time zone. */
function toFieldText(iso: string, isUtc: boolean): string {
  const at = new Date(iso);
  return new Date(at.getTime() - (isUtc ? 0 : at.getTimezoneOffset() * 60_000)).toISOString().slice(0, 16);
}

function readFieldText(text: string, isUtc: boolean): string | null {
  return text === "" ? null : new Date(isUtc ? `${text}Z` : text).toISOString();
}
