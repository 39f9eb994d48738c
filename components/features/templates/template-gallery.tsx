"use client";

import { useEffect } from "react";
import { useOperation } from "@/components/api/operation-hooks";
import { loadDrawing, TemplateCard } from "@/components/features/templates/template-card";
import { useTemplate } from "@/components/features/templates/use-template";
import { PageHeader } from "@/components/ui/lists/page-header";
import { QueryView } from "@/components/ui/lists/query-view";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";

const TRAIL = [{ label: "Workflows", href: "/workflows" }];
const PLACES = [1, 2, 3, 4, 5, 6];

/** Lists workflow templates, each with a drawing. Templates that need no connection can run at once. */
export function TemplateGallery() {
  const templates = useOperation("list_templates", {}, { staleTime: Number.POSITIVE_INFINITY });
  const use = useTemplate();
  useEffect(() => void loadDrawing().catch(() => undefined), []);
  return (
    <>
      <PageHeader title="Templates" trail={TRAIL} />
      <QueryView query={templates} skeleton={<GallerySkeleton />} errorTitle="Couldn't load the templates.">
        {({ data }) => (
          <ul aria-label="Templates" className="grid gap-4 p-4 sm:grid-cols-2 sm:py-6 xl:grid-cols-3">
            {data.map((template) => (
              <TemplateCard key={template.template_id} template={template} use={use} />
            ))}
          </ul>
        )}
      </QueryView>
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
