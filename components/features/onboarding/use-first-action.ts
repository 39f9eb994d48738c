"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { TemplateObject } from "#lib/contract/template";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { invalidateOperations } from "@/components/api/operation-hooks";
import { toast } from "@/components/ui/toast";

/** Creates a workflow from a template, publishes it, and runs it once with the template's sample input. */
export function useFirstAction() {
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
