"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { workflowNamesInput } from "#lib/contract/inputs/workflow-inputs";
import { useOperationForm } from "@/components/api/use-operation-form";
import { StartChoice } from "@/components/features/workflows/start-choice";
import { STARTING_POINTS, type Start } from "@/components/features/workflows/starting-points";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Textarea } from "@/components/ui/forms/textarea";
import { Dialog } from "@/components/ui/overlays/dialog";

const BLANK = { name: "", description: "", start: "call" as Start };

export function CreateWorkflowDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const form = useOperationForm("create_workflow", {
    // What is drawn at first is ours; the server checks it.
    schema: workflowNamesInput,
    start: BLANK,
    toInput: ({ name, description, start }) => ({
      name: name.trim(),
      ...(description.trim() === "" ? {} : { description: description.trim() }),
      definition: STARTING_POINTS[start](),
    }),
    missing: { name: "Name the workflow." },
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
          <Button type="submit" form={form.props.id} variant="primary" isBusy={form.isBusy || form.isDone}>
            Create and open
          </Button>
        </>
      }
    >
      <form {...form.props} className="flex flex-col gap-4">
        <Field label="Name" error={form.problem("name") ?? form.general} isRequired>
          {(control) => <Input {...control} {...form.register("name")} autoFocus maxLength={200} />}
        </Field>
        <StartChoice value={form.value("start")} onChange={(start) => form.set("start", start)} />
        <p className="text-dense text-text-2">
          Or begin with a{" "}
          <Link href="/templates" className="link">
            template
          </Link>{" "}
          that already does something.
        </p>
        <Field
          label="Description"
          hint="optional"
          description="Agents read it once the workflow is published."
          error={form.problem("description")}
        >
          {(control) => <Textarea {...control} {...form.register("description")} maxLength={2000} />}
        </Field>
      </form>
    </Dialog>
  );
}
