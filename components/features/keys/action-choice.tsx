"use client";

import { useId } from "react";
import { LIMITS } from "#lib/contract/limits";
import { useOperation } from "@/components/api/operation-hooks";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Field } from "@/components/ui/forms/field";
import { Select } from "@/components/ui/forms/select";

interface ActionChoiceProps {
  /** Null for a key that may call every action. */
  slugs: readonly string[] | null;
  onChange: (slugs: readonly string[] | null) => void;
  error: string | undefined;
}

/** Limits a key to some actions. */
export function ActionChoice({ slugs, onChange, error }: ActionChoiceProps) {
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Actions"
        description={
          slugs === null
            ? "The key can call every action in the workspace, including actions that you publish later."
            : "The key sees only these actions and their runs. It can call actions and read runs, and nothing else."
        }
      >
        {(control) => (
          <Select
            {...control}
            value={slugs === null ? "all" : "some"}
            onChange={(event) => onChange(event.target.value === "all" ? null : [])}
          >
            <option value="some">Only chosen actions</option>
            <option value="all">All actions</option>
          </Select>
        )}
      </Field>
      {slugs === null ? null : <ActionList slugs={slugs} onChange={onChange} error={error} />}
    </div>
  );
}

function ActionList({ slugs, onChange, error }: ActionChoiceProps & { slugs: readonly string[] }) {
  const errorId = useId();
  const actions = useOperation("list_actions", { limit: LIMITS.pageSizeMax });
  const known = actions.data?.data ?? [];
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby={error === undefined ? undefined : errorId}>
      <legend className="sr-only">Actions that the key can call</legend>
      {known.map(({ slug, name }) => (
        <Checkbox
          key={slug}
          label={<code className="font-mono text-dense">{slug}</code>}
          description={name}
          isChecked={slugs.includes(slug)}
          onChange={(isChecked) => onChange(isChecked ? [...slugs, slug] : slugs.filter((other) => other !== slug))}
        />
      ))}
      {actions.data !== undefined && known.length === 0 ? (
        <p className="text-dense text-text-3">No action is published yet. Publish one first, or choose all actions.</p>
      ) : null}
      {actions.isError ? <p className="text-dense text-err">Couldn't load the actions.</p> : null}
      {error === undefined ? null : (
        <p id={errorId} className="text-dense text-err">
          {error}
        </p>
      )}
    </fieldset>
  );
}
