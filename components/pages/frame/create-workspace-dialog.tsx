"use client";

import { type FormEvent, useId, useState } from "react";
import { LIMITS } from "#lib/contract/limits";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { ownTimeZone } from "@/components/api/shown-workspace";
import { enterWorkspace } from "@/components/shell/enter-workspace";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Dialog } from "@/components/ui/overlays/dialog";

/** Another workspace; it opens at once. */
export function CreateWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const create = useOperationMutation("create_workspace", {
    onSuccess: ({ workspace_id: workspaceId }) => void enterWorkspace(workspaceId),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    const trimmed = name.trim();
    setProblem(trimmed === "" ? "Name the workspace." : null);
    if (trimmed !== "") create.mutate({ name: trimmed, time_zone: ownTimeZone() });
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New workspace"
      description="Its workflows, connections, keys and people are its own. You become its owner."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={create.isPending || create.isSuccess}>
            Create workspace
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <Field
          label="Name"
          description={`It begins on the free plan. One person can own ${LIMITS.ownedWorkspaces} workspaces.`}
          error={problem ?? create.error?.message}
          isRequired
        >
          {(control) => (
            <Input
              {...control}
              autoFocus
              maxLength={100}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
