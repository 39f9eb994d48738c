"use client";

import { LIMITS } from "#lib/contract/limits";
import { formatDuration } from "#lib/support/format/format-duration";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Field } from "@/components/ui/forms/field";
import { Select } from "@/components/ui/forms/select";
import { Switch } from "@/components/ui/forms/switch";

const CHOICES = Array.from({ length: LIMITS.maxRetries + 1 }, (_, retries) => retries);

/** Edits what happens when the step fails (contract, Errors; decisions, Connectors: retries). */
export function RetriesForm({ canRetry }: { canRetry: boolean }) {
  const goesOn = useNodeField(["continueOnFailure"]);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  return (
    <>
      {canRetry ? <RetriesField /> : null}
      <Switch
        label="Continue when this step fails"
        description="The run continues, and later steps see this step's fields as empty. When this is off, the run fails here."
        isOn={goesOn.value === true}
        onChange={(isOn) => goesOn.set(isOn ? true : undefined)}
        disabled={isReadOnly}
      />
      <section aria-label="Timeouts" className="flex flex-col gap-1 border-t border-border pt-4">
        <h2 className="font-semibold">Timeouts</h2>
        <p className="text-dense text-text-2">
          An attempt times out after {formatDuration(LIMITS.stepTimeoutMs)}, and the whole run after{" "}
          {formatDuration(LIMITS.pipelineTimeoutMs)}.
        </p>
      </section>
    </>
  );
}

function RetriesField() {
  const field = useNodeField(["maxRetries"]);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const retries = typeof field.value === "number" ? field.value : 0;
  return (
    <Field label="Retries" description={describeRetries(retries)} error={field.error}>
      {({ required: _required, ...control }) => (
        <Select
          {...control}
          data-field={field.name}
          value={String(retries)}
          disabled={isReadOnly}
          onChange={(event) => field.set(Number(event.target.value) || undefined)}
        >
          {CHOICES.includes(retries) ? null : <option value={String(retries)}>{retries}</option>}
          {CHOICES.map((choice) => (
            <option key={choice} value={String(choice)}>
              {choice === 0 ? "None" : choice}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** Lists the upper bounds of the pauses before each retry; the actual waits are random below them. */
function describeRetries(retries: number): string {
  if (retries === 0) return "The step fails on its first error.";
  const waits = Array.from({ length: retries }, (_, index) =>
    Math.min(LIMITS.backoffMaxMs, LIMITS.backoffBaseMs * 2 ** index),
  );
  const list = waits.map((waitMs) => formatDuration(waitMs)).join(", ");
  return `Retries after a rate limit or an upstream error, waiting up to ${list}. Expired credentials and invalid input are never retried.`;
}
