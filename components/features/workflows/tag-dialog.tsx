"use client";

import { X } from "lucide-react";
import { TAG_PATTERN, TAGS_MAX, type WorkflowObject } from "#lib/contract/workflow/workflow";
import { tagWorkflowsInput } from "#lib/contract/workflow/workflow-inputs";
import { formatCount } from "#lib/support/format/format-number";
import { useOperation } from "@/components/api/operation-hooks";
import { useOperationForm } from "@/components/api/use-operation-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { FormDialog } from "@/components/ui/overlays/form-dialog";

interface TagDialogProps {
  workflows: readonly WorkflowObject[];
  onClose: () => void;
}

/** Edits the tags of one or more workflows: a tag that any of them has can be removed from all. */
export function TagDialog({ workflows, onClose }: TagDialogProps) {
  const known = useOperation("list_tags", {}).data?.data ?? [];
  const given = [...new Set(workflows.flatMap(({ tags }) => tags))];
  const form = useOperationForm("tag_workflows", {
    schema: tagWorkflowsInput,
    start: { add: "", remove: [] as string[] },
    toInput: ({ add, remove }) => ({
      workflow_ids: workflows.map(({ workflow_id: id }) => id),
      add: tagsIn(add),
      remove,
    }),
    check: ({ add }) => {
      const wrong = tagsIn(add).find((tag) => !TAG_PATTERN.test(tag));
      if (wrong === undefined) return {};
      return { add: `“${wrong}” can't be a tag: letters, digits, spaces and _.:/- only.` };
    },
    invalidates: ["list_workflows", "list_tags", "get_workflow"],
    onSuccess: onClose,
  });
  const removed = form.value("remove");
  const kept = given.filter((tag) => !removed.includes(tag));
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Tags"
      description={workflows.length === 1 ? workflows[0]?.name : formatCount(workflows.length, "workflow")}
      submitLabel="Save"
    >
      {kept.length === 0 ? null : (
        <ul aria-label="Current tags" className="flex flex-wrap gap-1.5">
          {kept.map((tag) => (
            <li key={tag}>
              <Button size="sm" onClick={() => form.set("remove", [...removed, tag])}>
                {tag}
                <X aria-hidden className="size-3" />
                <span className="sr-only">: remove</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Field
        label="Add"
        description={`Separate tags with commas. Up to ${TAGS_MAX} per workflow.`}
        error={form.problem("add") ?? form.general}
      >
        {(control) => (
          <Input {...control} {...form.register("add")} autoFocus autoComplete="off" list={`${form.props.id}-tags`} />
        )}
      </Field>
      <datalist id={`${form.props.id}-tags`}>
        {known.map(({ tag }) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </FormDialog>
  );
}

function tagsIn(typed: string): string[] {
  return typed.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
}
