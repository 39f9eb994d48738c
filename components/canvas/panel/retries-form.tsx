"use client";

import { LIMITS } from "#lib/contract/limits";
import { backoffCeilingMs } from "#lib/support/backoff";
import { formatDuration } from "#lib/support/format/format-duration";
import { useNodeField } from "@/components/canvas/panel/fields/panel-context";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Field } from "@/components/ui/forms/field";
import { Select } from "@/components/ui/forms/select";
import { Switch } from "@/components/ui/forms/switch";

const RETRIES = Array.from({ length: LIMITS.maxRetries + 1 }, (_, retries) => retries);
const WAITS = [1, 2, 5, 10, 15, 30, 45, LIMITS.retryWaitSecondsMax];

/** Edits what happens when the step fails (contract, Errors; decisions, Connectors: retries). */
export function RetriesForm({ canRetry }: { canRetry: boolean }) {
  const goesOn = useNodeField(["continueOnFailure"]);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  return (
    <>
      {canRetry ? <RetryFields /> : null}
      <Switch
        label="Continue when this step fails"
        description="The run continues, and later steps see this step's fields as empty. When this is off, the run fails here. If a step is connected to Failed, the run takes that branch instead, whether this is on or off."
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

interface Waits {
  retries: number;
  isFixed: boolean;
  waitSeconds: number;
}

function RetryFields() {
  const retries = useNodeField(["maxRetries"]);
  const backoff = useNodeField(["retryBackoff"]);
  const wait = useNodeField(["retryWaitSeconds"]);
  const count = typeof retries.value === "number" ? retries.value : 0;
  const waitSeconds = typeof wait.value === "number" ? wait.value : LIMITS.retryWaitSeconds;
  const isFixed = backoff.value === "fixed";
  const seconds = (value: number) => formatDuration(1_000 * value);
  return (
    <>
      <ChoiceField
        label="Retries"
        description={describeRetries({ retries: count, isFixed, waitSeconds })}
        path="maxRetries"
        value={count}
        choices={RETRIES}
        describe={(choice) => (choice === 0 ? "None" : String(choice))}
        toData={(choice) => choice || undefined}
      />
      {count === 0 ? null : (
        <>
          <ChoiceField
            label="Wait between retries"
            path="retryBackoff"
            value={isFixed ? "fixed" : "exponential"}
            choices={["exponential", "fixed"]}
            describe={(choice) => (choice === "fixed" ? "Same each time" : "Doubles each time")}
            toData={(choice) => (choice === "fixed" ? choice : undefined)}
          />
          <ChoiceField
            label={isFixed ? "Wait" : "First wait"}
            path="retryWaitSeconds"
            value={waitSeconds}
            choices={WAITS}
            describe={seconds}
            toData={(choice) => (choice === LIMITS.retryWaitSeconds ? undefined : choice)}
          />
        </>
      )}
    </>
  );
}

interface ChoiceFieldProps<Choice extends string | number> {
  label: string;
  description?: string;
  /** The setting in the node's data. */
  path: string;
  value: Choice;
  choices: readonly Choice[];
  describe: (choice: Choice) => string;
  /** What the data contains; undefined for the default. */
  toData: (choice: Choice) => Choice | undefined;
}

function ChoiceField<Choice extends string | number>(props: ChoiceFieldProps<Choice>) {
  const { label, description, path, value, choices, describe, toData } = props;
  const field = useNodeField([path]);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const shown = choices.includes(value) ? choices : [value, ...choices];
  return (
    <Field label={label} description={description} error={field.error}>
      {({ required: _required, ...control }) => (
        <Select
          {...control}
          data-field={field.name}
          value={String(value)}
          disabled={isReadOnly}
          onChange={({ target }) => {
            const choice = shown.find((one) => String(one) === target.value);
            if (choice !== undefined) field.set(toData(choice));
          }}
        >
          {shown.map((choice) => (
            <option key={choice} value={String(choice)}>
              {describe(choice)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** Lists the pauses before each retry. Growing ones are upper bounds: the actual waits are random below them. */
function describeRetries({ retries, isFixed, waitSeconds }: Waits): string {
  if (retries === 0) return "The step fails on its first error.";
  const waits = Array.from({ length: retries }, (_, index) =>
    formatDuration(isFixed ? 1_000 * waitSeconds : backoffCeilingMs(index + 1, 1_000 * waitSeconds)),
  );
  const words = isFixed ? `waiting ${waits[0]}` : `waiting up to ${waits.join(", ")}`;
  return `Retries after a rate limit or an upstream error, ${words}. Expired credentials and invalid input are never retried.`;
}
