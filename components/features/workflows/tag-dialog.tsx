"use client";

import { X } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { TAG_PATTERN, TAGS_MAX, type WorkflowObject } from "#lib/contract/workflow";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Dialog } from "@/components/ui/overlays/dialog";

interface TagDialogProps {
  workflows: readonly WorkflowObject[];
  onClose: () => void;
}

/** The tags of one workflow, or of several: those that any of them has can be taken off all. */
export function TagDialog({ workflows, onClose }: TagDialogProps) {
  const formId = useId();
  const known = useOperation("list_tags", {}).data?.data ?? [];
  const given = [...new Set(workflows.flatMap(({ tags }) => tags))];
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const save = useOperationMutation("tag_workflows", {
    invalidates: ["list_workflows", "list_tags", "get_workflow"],
    onSuccess: onClose,
  });
  const kept = given.filter((tag) => !removed.includes(tag));
  function submit(event: FormEvent) {
    event.preventDefault();
    const add = typed.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
    const wrong = add.find((tag) => !TAG_PATTERN.test(tag));
    setProblem(wrong === undefined ? null : `“${wrong}” cannot be a tag: letters, digits, spaces and _.:/- only.`);
    if (wrong !== undefined) return;
    save.mutate({ workflow_ids: workflows.map(({ workflow_id: id }) => id), add, remove: [...removed] });
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Tags"
      description={workflows.length === 1 ? workflows[0]?.name : `${workflows.length} workflows`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        {kept.length === 0 ? null : (
          <ul aria-label="Tags now" className="flex flex-wrap gap-1.5">
            {kept.map((tag) => (
              <li key={tag}>
                <Button size="sm" onClick={() => setRemoved([...removed, tag])}>
                  {tag}
                  <X aria-hidden className="size-3" />
                  <span className="sr-only">: take off</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
        <Field
          label="Add"
          description={`Several with commas between them; ${TAGS_MAX} a workflow at most.`}
          error={problem ?? save.error?.message ?? null}
        >
          {(control) => (
            <Input
              {...control}
              autoFocus
              autoComplete="off"
              list={`${formId}-tags`}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        <datalist id={`${formId}-tags`}>
          {known.map(({ tag }) => (
            <option key={tag} value={tag} />
          ))}
        </datalist>
      </form>
    </Dialog>
  );
}
