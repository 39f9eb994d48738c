"use client";

import { type FormEvent, useId, useState } from "react";
import { ALERT_KINDS, type AlertKind } from "#lib/contract/outbound-event";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { describeRule } from "@/components/features/outbound-events/event-words";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { Dialog } from "@/components/ui/overlays/dialog";

const KINDS: Record<AlertKind, { label: string; unit: string; usual: string }> = {
  failures_in_a_row: { label: "Runs fail in a row", unit: "How many", usual: "3" },
  error_rate: { label: "Too many runs fail", unit: "Percent", usual: "20" },
  slow: { label: "Runs take too long", unit: "Milliseconds", usual: "10000" },
};
const WORKFLOWS = { limit: 100 };

export function AlertRuleDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const [kind, setKind] = useState<AlertKind>("failures_in_a_row");
  const [threshold, setThreshold] = useState(KINDS.failures_in_a_row.usual);
  const [minutes, setMinutes] = useState("60");
  const [runs, setRuns] = useState("10");
  const [workflowId, setWorkflowId] = useState("");
  const workflows = useOperation("list_workflows", WORKFLOWS);
  const create = useOperationMutation("create_alert_rule", { invalidates: ["list_alert_rules"], onSuccess: onClose });
  const numbers = { threshold: Number(threshold), window_minutes: Number(minutes), min_runs: Number(runs) };

  function submit(event: FormEvent) {
    event.preventDefault();
    create.mutate({ kind, workflow_id: workflowId === "" ? null : workflowId, ...numbers });
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New alert rule"
      description={`Fires when this holds: ${describeRule(kind, numbers)}.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={create.isPending}>
            Create rule
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Workflow">
          {(control) => (
            <Select {...control} value={workflowId} onChange={({ target }) => setWorkflowId(target.value)}>
              <option value="">Every workflow, each by itself</option>
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
                  setKind(next);
                  setThreshold(KINDS[next].usual);
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
          <NumberField label={KINDS[kind].unit} value={threshold} onChange={setThreshold} />
          {kind === "failures_in_a_row" ? null : (
            <>
              <NumberField label="Within minutes" value={minutes} onChange={setMinutes} />
              <NumberField label="Of at least so many runs" value={runs} onChange={setRuns} />
            </>
          )}
        </div>
        {create.error === null ? null : (
          <p role="alert" className="rounded-2 bg-err-bg px-3 py-2 text-err">
            {create.error.message}
          </p>
        )}
      </form>
    </Dialog>
  );
}

interface NumberFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function NumberField({ label, value, onChange }: NumberFieldProps) {
  return (
    <Field label={label} isRequired>
      {(control) => (
        <Input {...control} type="number" min={1} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
