"use client";

import { createAlertRuleInput } from "#lib/contract/event/event-inputs";
import { ALERT_KINDS, type AlertKind } from "#lib/contract/event/outbound-event";
import { readNumber } from "#lib/support/numbers/read-number";
import { useOperation } from "@/components/api/operation-hooks";
import { useOperationForm } from "@/components/api/use-operation-form";
import { describeRule } from "@/components/features/outbound-events/event-words";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { FormDialog } from "@/components/ui/overlays/form-dialog";

const KINDS: Record<AlertKind, { label: string; unit: string; usual: string }> = {
  failures_in_a_row: { label: "Runs fail in a row", unit: "Number of runs", usual: "3" },
  error_rate: { label: "Too many runs fail", unit: "Percent", usual: "20" },
  slow: { label: "Runs take too long", unit: "Milliseconds", usual: "10000" },
};
const WORKFLOWS = { limit: 100 };

const START = {
  kind: "failures_in_a_row" as AlertKind,
  threshold: KINDS.failures_in_a_row.usual,
  window_minutes: "60",
  min_runs: "10",
  workflow_id: "",
};

export function AlertRuleDialog({ onClose }: { onClose: () => void }) {
  const workflows = useOperation("list_workflows", WORKFLOWS);
  const form = useOperationForm("create_alert_rule", {
    schema: createAlertRuleInput,
    start: START,
    toInput: ({ kind, workflow_id: workflowId, ...texts }) => ({
      kind,
      workflow_id: workflowId === "" ? null : workflowId,
      ...numbersOf(texts),
    }),
    invalidates: ["list_alert_rules"],
    onSuccess: onClose,
  });
  const kind = form.value("kind");
  const numbers = {
    threshold: Number(form.value("threshold")),
    window_minutes: Number(form.value("window_minutes")),
    min_runs: Number(form.value("min_runs")),
  };
  const unit = (name: "threshold" | "window_minutes" | "min_runs", label: string) => (
    <Field label={label} error={form.problem(name)} isRequired>
      {(control) => <Input {...control} {...form.register(name)} type="number" min={1} />}
    </Field>
  );
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="New alert rule"
      description={`Fires when: ${describeRule(kind, numbers)}.`}
      submitLabel="Create rule"
    >
      <Field label="Workflow">
        {(control) => (
          <Select {...control} {...form.register("workflow_id")}>
            <option value="">Every workflow (counted separately)</option>
            {workflows.data?.data.map((workflow) => (
              <option key={workflow.workflow_id} value={workflow.workflow_id}>
                {workflow.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="When">
          {(control) => (
            <Select
              {...control}
              value={kind}
              onChange={({ target }) => {
                const next = ALERT_KINDS.find((option) => option === target.value) ?? kind;
                form.set("kind", next);
                form.set("threshold", KINDS[next].usual);
              }}
            >
              {ALERT_KINDS.map((option) => (
                <option key={option} value={option}>
                  {KINDS[option].label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {unit("threshold", KINDS[kind].unit)}
        {kind === "failures_in_a_row" ? null : (
          <>
            {unit("window_minutes", "Within (minutes)")}
            {unit("min_runs", "Minimum number of runs")}
          </>
        )}
      </div>
      <FormError>{form.general}</FormError>
    </FormDialog>
  );
}

/** An empty field is not a number, and not zero. */
function numbersOf(texts: Record<"threshold" | "window_minutes" | "min_runs", string>) {
  const number = (text: string) => readNumber(text) ?? Number.NaN;
  return {
    threshold: number(texts.threshold),
    window_minutes: number(texts.window_minutes),
    min_runs: number(texts.min_runs),
  };
}
