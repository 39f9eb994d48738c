"use client";

import type { WorkflowObject } from "#lib/contract/workflow/workflow";
import { workflowNamesInput } from "#lib/contract/workflow/workflow-inputs";
import { useOperationForm } from "@/components/api/use-operation-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Textarea } from "@/components/ui/forms/textarea";
import { toast } from "@/components/ui/toast";

interface WorkflowNamesFormProps {
  workflow: Pick<WorkflowObject, "workflow_id" | "name" | "description">;
  canEdit: boolean;
}

/** The name and the description of a workflow. The drawing stays as it is, so an open editor merges the change. */
export function WorkflowNamesForm({ workflow, canEdit }: WorkflowNamesFormProps) {
  const { workflow_id: workflowId, name, description } = workflow;
  const form = useOperationForm("update_workflow", {
    schema: workflowNamesInput,
    start: { name, description: description ?? "" },
    toInput: (values) => ({
      workflow_id: workflowId,
      name: values.name.trim(),
      description: values.description.trim(),
    }),
    missing: { name: "Enter a name for the workflow." },
    invalidates: ["get_workflow", "list_workflows", "list_actions", "get_action"],
    onSuccess: () => toast("Saved."),
  });
  const isChanged = form.value("name") !== name || form.value("description") !== (description ?? "");
  return (
    <form {...form.props} className="flex flex-col gap-4">
      <Field label="Name" error={form.problem("name") ?? form.general} isRequired>
        {(control) => (
          <Input {...control} {...form.register("name")} maxLength={200} autoComplete="off" disabled={!canEdit} />
        )}
      </Field>
      <Field
        label="Description"
        hint="optional"
        description="Agents read it after the workflow is published."
        error={form.problem("description")}
      >
        {(control) => <Textarea {...control} {...form.register("description")} maxLength={2000} disabled={!canEdit} />}
      </Field>
      {canEdit ? (
        <div>
          <Button type="submit" variant="primary" disabled={!isChanged} isBusy={form.isBusy}>
            Save changes
          </Button>
        </div>
      ) : null}
    </form>
  );
}
