"use client";

import { LIMITS } from "#lib/contract/limits";
import { createWorkspaceInput } from "#lib/contract/workspace/workspace-inputs";
import { ownTimeZone } from "@/components/api/shown-workspace";
import { useOperationForm } from "@/components/api/use-operation-form";
import { enterWorkspace } from "@/components/shell/enter-workspace";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { FormDialog } from "@/components/ui/overlays/form-dialog";

/** Creates a workspace and opens it at once. */
export function CreateWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const form = useOperationForm("create_workspace", {
    schema: createWorkspaceInput,
    start: { name: "" },
    toInput: ({ name }) => ({ name: name.trim(), time_zone: ownTimeZone() }),
    missing: { name: "Enter a name for the workspace." },
    onSuccess: ({ workspace_id: workspaceId }) => enterWorkspace(workspaceId),
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="New workspace"
      description="It has its own workflows, connections, keys and members. You become its owner."
      submitLabel="Create workspace"
      isBusy={form.isBusy || form.isDone}
    >
      <Field
        label="Name"
        description={`It starts on the free plan. You can own up to ${LIMITS.ownedWorkspaces} workspaces.`}
        error={form.problem("name") ?? form.general}
        isRequired
      >
        {(control) => <Input {...control} {...form.register("name")} autoFocus maxLength={100} autoComplete="off" />}
      </Field>
    </FormDialog>
  );
}
