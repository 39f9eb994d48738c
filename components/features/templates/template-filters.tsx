"use client";

import { useCallback, useRef } from "react";
import { TEMPLATE_PURPOSES, type TemplateObject } from "#lib/contract/workflow/template";
import { useConnectionKinds } from "@/components/features/connections/use-connections";
import { appsOf, PURPOSE_WORDS, searchTextOf } from "@/components/features/templates/template-words";
import { useShortcuts } from "@/components/shell/shortcuts";
import { ChoiceChips } from "@/components/ui/choice-chips";
import { SearchField } from "@/components/ui/forms/search-field";
import { Toolbar } from "@/components/ui/lists/toolbar";
import { choiceCodec, optionalTextCodec, textCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const CODECS = { q: textCodec, purpose: choiceCodec(TEMPLATE_PURPOSES, null), app: optionalTextCodec };

/** The filters of the gallery, kept in the URL. */
export function useTemplateFilters() {
  return useUrlState(CODECS);
}
type TemplateFilters = ReturnType<typeof useTemplateFilters>[0];

/** Returns the name of an app for its connector. Until the names are loaded, it returns the connector itself. */
export function useAppNames(): (connector: string) => string {
  const names = new Map(useConnectionKinds().data?.data.map((kind) => [kind.connector, kind.name]));
  return (connector) => names.get(connector) ?? connector;
}

/** Returns true if the template has the chosen purpose and app, and contains every word of the search. */
export function isShown(
  template: TemplateObject,
  { q, purpose, app }: TemplateFilters,
  nameOf: (connector: string) => string,
): boolean {
  const apps = appsOf(template);
  if (purpose !== null && template.purpose !== purpose) return false;
  if (app !== null && !apps.includes(app)) return false;
  const text = searchTextOf(template, apps.map(nameOf));
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface TemplateFilterBarProps {
  templates: readonly TemplateObject[];
  filters: TemplateFilters;
  nameOf: (connector: string) => string;
  onChange: (next: Partial<TemplateFilters>) => void;
}

/** A search, and the purposes and apps that the templates have. */
export function TemplateFilterBar({ templates, filters, nameOf, onChange }: TemplateFilterBarProps) {
  const search = useRef<HTMLInputElement>(null);
  const changeSearch = useCallback((q: string) => onChange({ q: q.trim() }), [onChange]);
  useShortcuts({ "/": () => search.current?.focus() });
  const purposes = TEMPLATE_PURPOSES.filter((purpose) => templates.some((template) => template.purpose === purpose));
  const apps = [...new Set(templates.flatMap(appsOf))].map((app) => ({ value: app, label: nameOf(app) }));
  return (
    <Toolbar>
      <SearchField
        label="Search templates"
        value={filters.q}
        onChange={changeSearch}
        inputRef={search}
        className="min-w-40 flex-1 sm:max-w-72"
      />
      <ChoiceChips
        label="Purpose"
        choices={[{ value: null, label: "Any purpose" }, ...purposes.map(toChoice)]}
        chosen={filters.purpose}
        onChoose={(purpose) => onChange({ purpose })}
      />
      <ChoiceChips
        label="App"
        choices={[{ value: null, label: "Any app" }, ...apps.sort((a, b) => a.label.localeCompare(b.label))]}
        chosen={filters.app}
        onChoose={(app) => onChange({ app })}
      />
    </Toolbar>
  );
}

function toChoice(purpose: TemplateObject["purpose"]) {
  return { value: purpose, label: PURPOSE_WORDS[purpose] };
}
