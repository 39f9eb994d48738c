"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type { TemplateObject } from "#lib/contract/workflow/template";
import { callOperation } from "@/components/api/call-operation";
import { invalidateOperations } from "@/components/api/operation-hooks";
import { toast } from "@/components/ui/toast";

export interface TemplateUse {
  /** The ID of the template that is being used. */
  busyId: string | null;
  isRunning: boolean;
  /** Creates a workflow from the template and opens its canvas. */
  open: (template: TemplateObject) => void;
  /** Creates a workflow from the template, runs it with the sample input, and opens the run. */
  run: (template: TemplateObject) => void;
}

export function useTemplate(): TemplateUse {
  const router = useRouter();
  const queryClient = useQueryClient();
  const make = useMutation({
    mutationFn: async ({ template, isRun }: { template: TemplateObject; isRun: boolean }) => {
      const { workflow_id: workflowId } = await callOperation("create_workflow", {
        name: template.name,
        description: template.about,
        definition: template.definition,
      });
      if (!isRun) return `/workflows/${workflowId}`;
      const run = await callOperation("test_workflow", { workflow_id: workflowId, input: template.sample_input });
      return `/runs/${run.run_id}`;
    },
    onSuccess: async (path) => {
      router.push(path);
      await invalidateOperations(queryClient, ["list_workflows", "list_runs"]);
    },
    onError: (error) => toast.error(error.message),
  });
  const { variables } = make;
  const isBusy = make.isPending || make.isSuccess;
  return {
    busyId: isBusy ? (variables?.template.template_id ?? null) : null,
    isRunning: variables?.isRun ?? false,
    open: (template) => make.mutate({ template, isRun: false }),
    run: (template) => make.mutate({ template, isRun: true }),
  };
}
