"use client";

import { useEffect } from "react";
import type { TemplateObject } from "#lib/contract/workflow/template";
import { formatCount } from "#lib/support/format/format-number";
import { useOperation } from "@/components/api/operation-hooks";
import { loadDrawing, TemplateCard } from "@/components/features/templates/template-card";
import {
  isShown,
  TemplateFilterBar,
  useAppNames,
  useTemplateFilters,
} from "@/components/features/templates/template-filters";
import { useTemplate } from "@/components/features/templates/use-template";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { PageHeader } from "@/components/ui/lists/page-header";
import { QueryView } from "@/components/ui/lists/query-view";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";

const TRAIL = [{ label: "Workflows", href: "/workflows" }];
const PLACES = [1, 2, 3, 4, 5, 6];

/** Lists workflow templates by purpose and app, each with a drawing. Templates that need no connection can run at once. */
export function TemplateGallery() {
  const templates = useOperation("list_templates", {}, { staleTime: Number.POSITIVE_INFINITY });
  useEffect(() => void loadDrawing().catch(() => undefined), []);
  return (
    <>
      <PageHeader title="Templates" trail={TRAIL} />
      <QueryView query={templates} skeleton={<GallerySkeleton />} errorTitle="Couldn't load the templates.">
        {({ data }) => <Results templates={data} />}
      </QueryView>
    </>
  );
}

function Results({ templates }: { templates: readonly TemplateObject[] }) {
  const [filters, setFilters] = useTemplateFilters();
  const nameOf = useAppNames();
  const use = useTemplate();
  const shown = templates.filter((template) => isShown(template, filters, nameOf));
  return (
    <>
      <TemplateFilterBar templates={templates} filters={filters} nameOf={nameOf} onChange={setFilters} />
      <p role="status" className="sr-only">
        {formatCount(shown.length, "template")}
      </p>
      {shown.length === 0 ? (
        <EmptyState title="No results" action={<Button onClick={() => setFilters(null)}>Clear filters</Button>}>
          No template matches the search and the filters.
        </EmptyState>
      ) : (
        <ul aria-label="Templates" className="grid gap-4 p-4 sm:grid-cols-2 sm:py-6 xl:grid-cols-3">
          {shown.map((template) => (
            <TemplateCard key={template.template_id} template={template} nameOf={nameOf} use={use} />
          ))}
        </ul>
      )}
    </>
  );
}

function GallerySkeleton() {
  return (
    <div className="grid gap-4 p-4 sm:grid-cols-2 sm:py-6 xl:grid-cols-3">
      <LoadingLabel>Loading templates</LoadingLabel>
      {PLACES.map((place) => (
        <Skeleton key={place} className="h-80 rounded-3" />
      ))}
    </div>
  );
}
