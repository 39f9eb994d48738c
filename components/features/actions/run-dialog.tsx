"use client";

import { useRouter } from "next/navigation";
import type { InputSchema, JsonObject } from "#lib/contract/wire/json-schema";
import { currentSchema } from "#lib/core/input/input-aliases";
import { isJsonObject } from "#lib/support/json";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { useCheckedForm } from "@/components/api/use-checked-form";
import { exampleInput } from "@/components/features/actions/example-input";
import { orderedProperties } from "@/components/features/actions/ordered-properties";
import type { RunnableWorkflow } from "@/components/features/actions/run-button";
import { SchemaField } from "@/components/features/actions/schema-field";
import { useSchemaForm } from "@/components/features/actions/use-schema-form";
import { Field } from "@/components/ui/forms/field";
import { Textarea } from "@/components/ui/forms/textarea";
import { FormDialog } from "@/components/ui/overlays/form-dialog";

interface RunDialogProps {
  workflow: RunnableWorkflow;
  onClose: () => void;
}

const COUNTS = "Every step runs for real, and the run counts toward your limits.";
const NO_INPUT: InputSchema = { type: "object", properties: {}, required: [] };

/** Asks for what a caller or an event would send, starts a run of the published version, and opens it. */
export function RunDialog({ workflow, onClose }: RunDialogProps) {
  const { action } = workflow;
  if (action !== null) return <ActionRunDialog slug={action.slug} workflow={workflow} onClose={onClose} />;
  return <EventRunDialog workflow={workflow} onClose={onClose} />;
}

function useOpenRun(): (run: { run_id: string }) => void {
  const router = useRouter();
  return (run) => router.push(`/runs/${run.run_id}`);
}

function ActionRunDialog({ slug, workflow, onClose }: RunDialogProps & { slug: string }) {
  const schema = currentSchema(workflow.input_schema ?? NO_INPUT);
  const run = useOperationMutation("run_action", {
    invalidates: ["list_runs", "list_workflows"],
    onSuccess: useOpenRun(),
  });
  const form = useSchemaForm({
    schema,
    initial: exampleInput({ examples: [], inputSchema: schema }),
    send: (input) => run.mutateAsync({ slug, input, dry_run: false }),
  });
  const properties = orderedProperties(schema.properties, schema.required);
  return (
    <FormDialog
      form={form}
      isBusy={form.isBusy || run.isSuccess}
      onClose={onClose}
      title={`Run ${workflow.name}`}
      description={COUNTS}
      submitLabel="Run"
    >
      {properties.length === 0 ? <p className="text-text-2">This action takes no input.</p> : null}
      {properties.map(([name, property]) => (
        <SchemaField key={name} {...form.field(name)} property={property} isRequired={schema.required.includes(name)} />
      ))}
      <RunProblem message={run.error?.message} />
    </FormDialog>
  );
}

/** The event of each kind of trigger, to start from. What is left out is made up, such as the time. */
const EVENTS: Record<NonNullable<RunnableWorkflow["trigger"]>["kind"], JsonObject | null> = {
  webhook: { body: {} },
  schedule: null,
  connector: { data: {} },
  form: { body: {} },
  failure: {},
};

function EventRunDialog({ workflow, onClose }: RunDialogProps) {
  const run = useOperationMutation("run_workflow", {
    invalidates: ["list_runs", "list_workflows", "get_trigger"],
    onSuccess: useOpenRun(),
  });
  const start = workflow.trigger === null ? null : EVENTS[workflow.trigger.kind];
  const form = useCheckedForm({
    start: { event: start === null ? "" : JSON.stringify(start, null, 2) },
    check: ({ event }) => {
      const byField: Record<string, string> = {};
      if (start !== null && readEvent(event) === null) byField.event = "Enter a JSON object.";
      return { byField, general: null };
    },
    send: async ({ event }) => {
      const sent = start === null ? {} : { event: readEvent(event) ?? {} };
      // The dialog shows why it failed.
      await run.mutateAsync({ workflow_id: workflow.workflow_id, ...sent }).catch(() => undefined);
    },
  });
  return (
    <FormDialog
      form={form}
      isBusy={form.isBusy || run.isSuccess}
      onClose={onClose}
      title={`Run ${workflow.name}`}
      description={COUNTS}
      submitLabel="Run"
    >
      {start === null ? null : (
        <Field label="Event" description="What the steps read as trigger.output." error={form.problem("event")}>
          {(control) => <Textarea {...control} {...form.register("event")} isMono rows={8} spellCheck={false} />}
        </Field>
      )}
      <RunProblem message={run.error?.message} />
    </FormDialog>
  );
}

function readEvent(text: string): JsonObject | null {
  try {
    const event: unknown = JSON.parse(text);
    return isJsonObject(event) ? event : null;
  } catch {
    return null;
  }
}

function RunProblem({ message }: { message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <p role="alert" className="text-err">
      {message}
    </p>
  );
}
