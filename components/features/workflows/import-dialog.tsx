"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { importWorkflowInput, type WorkflowDocument } from "#lib/core/graph/imported-document";
import { readTypedJson } from "#lib/core/input/read-typed-json";
import { useOperationForm } from "@/components/api/use-operation-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Textarea } from "@/components/ui/forms/textarea";
import { Link } from "@/components/ui/link";
import { Dialog } from "@/components/ui/overlays/dialog";
import { FormDialog } from "@/components/ui/overlays/form-dialog";

type Imported = WebOperations["import_workflow"]["output"];

/**
 * Creates a workflow from a document: a file, or pasted text. Missing dependencies are listed before the workflow
 * opens.
 */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const [imported, setImported] = useState<Imported | null>(null);
  const form = useOperationForm("import_workflow", {
    schema: importWorkflowInput,
    start: { document: "" },
    toInput: ({ document }) => ({ document: readDocument(document).value as WorkflowDocument }),
    check: ({ document }): { document?: string } => {
      const { problem } = readDocument(document);
      return problem === null ? {} : { document: problem };
    },
    invalidates: ["list_workflows"],
    onSuccess: (output) => {
      if (output.missing.length === 0) router.push(`/workflows/${output.workflow.workflow_id}`);
      else setImported(output);
    },
  });
  if (imported !== null) return <MissingParts imported={imported} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Import a workflow"
      description="Import an exported workflow (JSON). It becomes a draft. Nothing starts it until you activate it."
      submitLabel="Import"
    >
      <Field label="File" hint="optional">
        {(control) => (
          <input
            {...control}
            type="file"
            accept="application/json,.json"
            className="text-dense file:mr-3 file:h-control-sm file:rounded-2 file:border file:border-border file:bg-surface file:px-2"
            onChange={async ({ target }) => form.set("document", (await target.files?.[0]?.text()) ?? "")}
          />
        )}
      </Field>
      <Field label="Document" error={form.problem("document") ?? form.general}>
        {(control) => (
          <Textarea
            {...control}
            {...form.register("document")}
            rows={10}
            spellCheck={false}
            className="font-mono text-dense"
            placeholder='{"name": "…", "definition": {"nodes": [], "edges": []}}'
          />
        )}
      </Field>
    </FormDialog>
  );
}

function readDocument(text: string): { value: unknown; problem: string | null } {
  if (text.trim() === "") return { value: null, problem: "Choose a file or paste its text." };
  const { value = null, problem, detail } = readTypedJson(text);
  return { value, problem: detail === undefined ? problem : `This isn't valid JSON: ${detail}` };
}

function MissingParts({ imported: { workflow, missing }, onClose }: { imported: Imported; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`“${workflow.name}” imported`}
      description="Some parts aren't in this workspace."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button asChild variant="primary">
            <Link href={`/workflows/${workflow.workflow_id}`}>Open canvas</Link>
          </Button>
        </>
      }
    >
      <ul className="divide-y divide-border rounded-3 border border-border">
        {missing.map(({ node_id: nodeId, kind, message }) => (
          <li key={`${nodeId} ${kind}`} className="px-3 py-2">
            {message}.
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
