"use client";

import { Play } from "lucide-react";
import type { TemplateObject } from "#lib/contract/template";
import { useOperation } from "@/components/api/operation-hooks";
import { FirstRun } from "@/components/features/onboarding/first-run";
import { useFirstAction } from "@/components/features/onboarding/use-first-action";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/lists/skeleton";

const SHOWN = 3;

/**
 * Offers the simplest templates that need no connection: one press publishes and runs one. Once an action exists, it
 * shows that run.
 */
export function TemplateStarts({ isDone }: { isDone: boolean }) {
  const start = useFirstAction();
  if (isDone) return start.data === undefined ? null : <FirstRun run={start.data} />;
  return <Offers busyId={start.isPending ? start.variables.template_id : null} onStart={start.mutate} />;
}

interface OffersProps {
  busyId: string | null;
  onStart: (template: TemplateObject) => void;
}

function Offers({ busyId, onStart }: OffersProps) {
  const templates = useOperation("list_templates", {}, { staleTime: Number.POSITIVE_INFINITY });
  const offered = (templates.data?.data ?? []).filter(({ starts, needs }) => starts === "call" && needs.length === 0);
  if (templates.isPending) return <Skeleton className="mt-2 h-24 w-full" />;
  return (
    <ul aria-label="Templates to start with" className="mt-2 grid gap-2 sm:grid-cols-3">
      {offered.slice(0, SHOWN).map((template) => (
        <li key={template.template_id} className="flex flex-col gap-2 rounded-2 border border-border p-3">
          <p className="font-medium text-text">{template.name}</p>
          <p className="flex-1 text-dense">{template.about}</p>
          <Button
            size="sm"
            className="self-start"
            isBusy={busyId === template.template_id}
            disabled={busyId !== null}
            onClick={() => onStart(template)}
          >
            <Play aria-hidden className="size-3.5" />
            Publish and run
            <span className="sr-only">: {template.name}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
