"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useId, useState } from "react";
import type { Definition } from "#lib/contract/graph";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";

/** What a callable workflow begins with: the two nodes it cannot do without, joined. */
const STARTING_POINT: Definition = {
  nodes: [
    {
      id: "action_input",
      type: "action_input",
      position: { x: 0, y: 0 },
      data: { name: "Action Input", properties: [] },
    },
    {
      id: "return_output",
      type: "return_output",
      position: { x: 0, y: 180 },
      data: { name: "Return Output", properties: [] },
    },
  ],
  edges: [{ id: "action_input-return_output", source: "action_input", target: "return_output" }],
};

export function CreateWorkflowDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const router = useRouter();
  const create = useOperationMutation("create_workflow", {
    invalidates: ["list_workflows"],
    onSuccess: (workflow) => router.push(`/workflows/${workflow.workflow_id}`),
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New workflow"
      description="It starts as a draft. Nobody can call it before you publish it."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={create.isPending || create.isSuccess}>
            Create and open
          </Button>
        </>
      }
    >
      <NameForm
        id={formId}
        error={create.error?.message ?? null}
        onSubmit={(named) => create.mutate({ ...named, definition: STARTING_POINT })}
      />
    </Dialog>
  );
}

interface NameFormProps {
  id: string;
  error: string | null;
  onSubmit: (named: { name: string; description?: string }) => void;
}

function NameForm({ id, error, onSubmit }: NameFormProps) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [problem, setProblem] = useState<string | null>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const isNamed = name.trim() !== "";
    setProblem(isNamed ? null : "Name the workflow.");
    const about = description.trim();
    if (isNamed) onSubmit({ name: name.trim(), ...(about === "" ? {} : { description: about }) });
  }

  return (
    <form id={id} noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name" error={problem ?? error} isRequired>
        {(control) => (
          <Input
            {...control}
            autoFocus
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="Description" hint="optional" description="Agents read it once the workflow is published.">
        {(control) => (
          <Textarea
            {...control}
            maxLength={2000}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        )}
      </Field>
    </form>
  );
}
