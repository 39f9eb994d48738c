"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import type { TemplateObject } from "#lib/contract/workflow/template";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { invalidateOperations, useOperation } from "@/components/api/operation-hooks";
import { FirstRun } from "@/components/features/onboarding/first-run";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { toast } from "@/components/ui/toast";

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

/** Creates a workflow from a template, publishes it, and runs it once with the template's sample input. */
function useFirstAction() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ template_id: slug, name, about, definition, sample_input: input }: TemplateObject) => {
      const workflow = { name, description: about, definition };
      const { workflow_id: workflowId } = await callOperation("create_workflow", workflow);
      const { action } = await publish(workflowId, slug);
      if (action === null) throw new Error("This template starts with a trigger. Open it on the canvas.");
      return callOperation("run_action", { slug: action.slug, input });
    },
    onError: (error) => toast.error(error.message),
    // Also after an error: the workflow may exist, and its draft can be published from the list.
    onSettled: () =>
      invalidateOperations(queryClient, ["get_onboarding", "list_workflows", "list_actions", "list_runs"]),
  });
}

/** A workflow that was deleted keeps its slug, and a slug is needed to publish: then the id makes another one. */
async function publish(workflowId: string, slug: string) {
  try {
    return await callOperation("deploy_workflow", { workflow_id: workflowId, slug });
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== "SLUG_TAKEN") throw error;
    return callOperation("deploy_workflow", { workflow_id: workflowId, slug: `${slug}-${workflowId.slice(-6)}` });
  }
}
