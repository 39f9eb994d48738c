"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, useId, useState } from "react";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { StartChoice } from "@/components/features/workflows/start-choice";
import { STARTING_POINTS, type Start } from "@/components/features/workflows/starting-points";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Textarea } from "@/components/ui/forms/textarea";
import { Dialog } from "@/components/ui/overlays/dialog";

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
      description="It begins as a draft: nothing starts it before you activate it."
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
        onSubmit={(start, named) => create.mutate({ ...named, definition: STARTING_POINTS[start]() })}
      />
    </Dialog>
  );
}

interface NameFormProps {
  id: string;
  error: string | null;
  onSubmit: (start: Start, named: { name: string; description?: string }) => void;
}

function NameForm({ id, error, onSubmit }: NameFormProps) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [start, setStart] = useState<Start>("call");
  const [problem, setProblem] = useState<string | null>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const isNamed = name.trim() !== "";
    setProblem(isNamed ? null : "Name the workflow.");
    const about = description.trim();
    if (isNamed) onSubmit(start, { name: name.trim(), ...(about === "" ? {} : { description: about }) });
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
      <StartChoice value={start} onChange={setStart} />
      <p className="text-dense text-text-2">
        Or begin with a{" "}
        <Link href="/templates" className="link">
          template
        </Link>{" "}
        that already does something.
      </p>
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
