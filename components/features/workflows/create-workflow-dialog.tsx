"use client";

import { useRouter } from "next/navigation";
import { workflowNamesInput } from "#lib/contract/workflow/workflow-inputs";
import { useOperationForm } from "@/components/api/use-operation-form";
import { StartChoice } from "@/components/features/workflows/start-choice";
import { STARTING_POINTS, type Start } from "@/components/features/workflows/starting-points";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Textarea } from "@/components/ui/forms/textarea";
import { Link } from "@/components/ui/link";
import { FormDialog } from "@/components/ui/overlays/form-dialog";

const BLANK = { name: "", description: "", start: "call" as Start };

export function CreateWorkflowDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const form = useOperationForm("create_workflow", {
    // The first nodes come from us; the server validates them.
    schema: workflowNamesInput,
    start: BLANK,
    toInput: ({ name, description, start }) => ({
      name: name.trim(),
      ...(description.trim() === "" ? {} : { description: description.trim() }),
      definition: STARTING_POINTS[start](),
    }),
    missing: { name: "Enter a name for the workflow." },
    invalidates: ["list_workflows"],
    onSuccess: (workflow) => router.push(`/workflows/${workflow.workflow_id}`),
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="New workflow"
      description="A new workflow is a draft. Nothing starts it until you activate it."
      submitLabel="Create and open"
      isBusy={form.isBusy || form.isDone}
    >
      <Field label="Name" error={form.problem("name") ?? form.general} isRequired>
        {(control) => <Input {...control} {...form.register("name")} autoFocus maxLength={200} />}
      </Field>
      <StartChoice value={form.value("start")} onChange={(start) => form.set("start", start)} />
      <p className="text-dense text-text-2">
        Or start from a{" "}
        <Link href="/templates" className="link">
          template
        </Link>{" "}
        that already works.
      </p>
      <Field
        label="Description"
        hint="optional"
        description="Agents read it after the workflow is published."
        error={form.problem("description")}
      >
        {(control) => <Textarea {...control} {...form.register("description")} maxLength={2000} />}
      </Field>
    </FormDialog>
  );
}
