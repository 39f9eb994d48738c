"use client";

import { useOperation } from "@/components/api/operation-hooks";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { Choice } from "@/components/canvas/panel/fields/plain-field";
import { useDraft, useEditor } from "@/components/canvas/store/draft-context";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Skeleton } from "@/components/ui/lists/skeleton";

const WATCHED = [
  { value: "all", label: "Any workflow in this workspace" },
  { value: "some", label: "Only these workflows" },
];

/** Chooses the workflows whose failed runs start this one (decisions, Failure triggers). */
export function FailureForm() {
  const field = useNodeField(["workflow_ids"]);
  const isSome = Array.isArray(field.value);
  const ids: readonly unknown[] = Array.isArray(field.value) ? field.value : [];
  return (
    <>
      <Choice
        label="When runs fail of"
        options={WATCHED}
        value={isSome ? "some" : "all"}
        onChoose={(next) => field.set(next === "some" ? [] : undefined)}
      />
      {isSome ? <WorkflowBoxes ids={ids} onChange={field.set} error={field.error} /> : null}
      <p className="text-dense text-text-3">
        Each failed or timed-out run starts this workflow once. Later steps read it as{" "}
        <code className="font-mono">{"{{trigger.output.run}}"}</code>.
      </p>
    </>
  );
}

interface WorkflowBoxesProps {
  ids: readonly unknown[];
  error: string | null;
  onChange: (ids: unknown[]) => void;
}

function WorkflowBoxes({ ids, error, onChange }: WorkflowBoxesProps) {
  const ownId = useDraft((draft) => draft.facts.workflow_id);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const query = useOperation("list_workflows", { limit: 100 });
  if (query.isPending) return <Skeleton className="h-24 w-full" />;
  const workflows = (query.data?.data ?? []).map(({ workflow_id: id, name }) => ({ id, name }));
  // A workflow that is not among the first hundred, or was deleted, can be removed all the same.
  const unlisted = ids.filter((id) => typeof id === "string" && !workflows.some((listed) => listed.id === id));
  const shown = [...workflows, ...unlisted.map((id) => ({ id: String(id), name: String(id) }))];
  return (
    <fieldset className="flex flex-col gap-1.5" data-field="workflow_ids">
      <legend className="mb-1.5 font-medium">Workflows</legend>
      <div className="flex max-h-64 flex-col gap-1.5 overflow-y-auto [overflow-wrap:anywhere]">
        {shown
          .filter(({ id }) => id !== ownId)
          .map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              isChecked={ids.includes(id)}
              disabled={isReadOnly}
              onChange={(isOn) => onChange(isOn ? [...ids, id] : ids.filter((other) => other !== id))}
            />
          ))}
      </div>
      {error === null ? null : <p className="text-dense text-err">{error}</p>}
    </fieldset>
  );
}
