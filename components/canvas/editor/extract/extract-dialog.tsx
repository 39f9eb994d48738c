"use client";

import { useState } from "react";
import { subWorkflowNamesInput } from "#lib/contract/workflow/workflow-inputs";
import type { CarriedValue } from "#lib/core/graph/extract/carry-values";
import { type Extraction, extractSteps } from "#lib/core/graph/extract/extract-steps";
import { formatCount } from "#lib/support/format/format-number";
import { nextFreeName } from "#lib/support/format/next-free-name";
import { useOperationForm } from "@/components/api/use-operation-form";
import { idFromName } from "@/components/canvas/document/node-ids";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Dialog } from "@/components/ui/overlays/dialog";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { toast } from "@/components/ui/toast";

const BLANK = { name: "", slug: "", publish: true };
const STEP_BASE = "run_action";

/** Extracts the selected steps as a workflow of their own, and puts one step that runs it in their place. */
export function ExtractDialog() {
  const editor = useEditorStore();
  // The selection of the moment in which the dialog opened.
  const [{ definition, nodeIds }] = useState(() => {
    const { definition, selectedNodeIds } = editor.getState();
    return { definition, nodeIds: selectedNodeIds };
  });
  const [preview] = useState(() => extractSteps(definition, nodeIds, { id: STEP_BASE, name: "", slug: "" }));
  const close = () => editor.getState().extract(false);
  if (preview.kind === "refused") return <Refusal reason={preview.reason} onClose={close} />;
  return <ExtractForm nodeIds={nodeIds} preview={preview} onClose={close} />;
}

function Refusal({ reason, onClose }: { reason: string; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="These steps can't be extracted"
      footer={
        <Button variant="primary" onClick={onClose}>
          Back to the canvas
        </Button>
      }
    >
      <p>{reason}</p>
    </Dialog>
  );
}

interface ExtractFormProps {
  nodeIds: readonly string[];
  preview: Extract<Extraction, { kind: "extracted" }>;
  onClose: () => void;
}

function ExtractForm({ nodeIds, preview, onClose }: ExtractFormProps) {
  const editor = useEditorStore();
  const form = useOperationForm("create_sub_workflow", {
    schema: subWorkflowNamesInput,
    start: BLANK,
    toInput: ({ name, slug, publish }) => ({
      name: name.trim(),
      slug: slug.trim(),
      publish,
      definition: preview.callable,
    }),
    missing: { name: "Enter a name for the sub-workflow.", slug: "Enter a slug for its action." },
    invalidates: ["list_workflows", "list_actions"],
    onSuccess: ({ workflow_id: id, published }, { name, slug }) => {
      putInPlace(editor, nodeIds, { name, slug });
      onClose();
      toast(
        published
          ? `${name} was published as ${slug}.`
          : `${name} is a draft. Publish it as ${slug} before you run this workflow.`,
        {
          action: { label: "Open it", onClick: () => window.open(`/workflows/${id}`, "_blank", "noopener") },
        },
      );
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Extract as sub-workflow"
      description={`Moves ${formatCount(nodeIds.length, "step")} to a new workflow and adds one step that runs it. Undo restores them.`}
      submitLabel={form.value("publish") ? "Extract and publish" : "Extract as a draft"}
      isBusy={form.isBusy || form.isDone}
    >
      <Field label="Name" error={form.problem("name") ?? form.general} isRequired>
        {(control) => <Input {...control} {...form.register("name")} autoFocus maxLength={200} />}
      </Field>
      <Field
        label="Slug"
        isRequired
        description="The name of its action. You can't change it after the first publish."
        error={form.problem("slug")}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register("slug")}
            isMono
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            placeholder="calculate-price"
          />
        )}
      </Field>
      <Checkbox
        label="Publish it now"
        description="A step can only run a published action. As a draft, this workflow fails at that step until someone publishes it."
        isChecked={form.value("publish")}
        onChange={(isChecked) => form.set("publish", isChecked)}
      />
      <CarriedList title="Its input" values={preview.inputs} empty="It needs no input." />
      <CarriedList title="Its output" values={preview.outputs} empty="No later step reads its output." />
    </FormDialog>
  );
}

/** The drawing may have changed while the dialog was open, by another person. */
function putInPlace(
  editor: ReturnType<typeof useEditorStore>,
  nodeIds: readonly string[],
  { name, slug }: { name: string; slug: string },
): void {
  const { definition, edit } = editor.getState();
  const id = nextFreeName(idFromName(name) || STEP_BASE, new Set(definition.nodes.map((node) => node.id)));
  const extraction = extractSteps(definition, nodeIds, { id, name, slug });
  if (extraction.kind === "refused") {
    toast.error(
      `The sub-workflow was created, but the steps weren't replaced because they changed. ${extraction.reason}`,
    );
    return;
  }
  edit(extraction.replaced, { select: [id] });
}

interface CarriedListProps {
  title: string;
  values: readonly CarriedValue[];
  empty: string;
}

/** Lists the values that cross the border of the extracted steps. */
function CarriedList({ title, values, empty }: CarriedListProps) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">{title}</h3>
      {values.length === 0 ? (
        <p className="text-text-2">{empty}</p>
      ) : (
        <ul className="divide-y divide-border rounded-3 border border-border">
          {values.map(({ name, type, expression }) => (
            <li key={expression} className="flex flex-wrap items-baseline gap-x-2 px-3 py-1.5">
              <span className="font-mono">{type === null ? `data.${name}` : name}</span>
              <span className="text-dense text-text-3">{type ?? "any type"}</span>
              <span className="min-w-0 flex-1 truncate text-right font-mono text-dense text-text-2" title={expression}>
                {expression}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
