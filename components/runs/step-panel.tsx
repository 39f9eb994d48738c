"use client";

import Link from "next/link";
import type { StepItem } from "#lib/contract/journal";
import type { RunObject } from "#lib/contract/run";
import type { TimelineRow } from "@/components/runs/derive-timeline";
import { JsonView } from "@/components/runs/json-view";
import { ReplayFromStep } from "@/components/runs/replay-from-step";
import { RunErrorCard } from "@/components/runs/run-error-card";
import { Facts } from "@/components/ui/facts";
import { describeDuration, describeInstant } from "@/components/ui/format-time";
import { StepStatusChip } from "@/components/ui/status-chip";
import { Tabs } from "@/components/ui/tabs";
import { choiceCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const TABS = ["error", "input", "output", "details"] as const;
const CODECS = { view: choiceCodec(TABS, null) };

interface StepPanelProps {
  row: TimelineRow;
  run: RunObject;
}

export function StepPanel({ row, run }: StepPanelProps) {
  const { step } = row;
  return (
    <>
      <header className="flex flex-wrap items-center gap-2 border-b border-border px-4 py-3">
        {row.number === "" ? null : <span className="font-mono text-dense text-text-3">{row.number}</span>}
        <h2 className="min-w-0 text-title font-semibold [overflow-wrap:anywhere]">{row.name}</h2>
        {row.status === null || (step === null && run.completed_at === null) ? null : (
          <StepStatusChip status={row.status} />
        )}
        <ReplayFromStep row={row} run={run} />
      </header>
      {step === null || step.status === "skipped" ? (
        <p className="p-4 text-text-2">{absenceWords(step, run)}</p>
      ) : (
        <StepTabs step={step} run={run} />
      )}
    </>
  );
}

function absenceWords(step: StepItem | null, run: RunObject): string {
  if (step !== null) return "A condition led past this step, so it did not run.";
  return run.completed_at === null ? "The run has not come here yet." : "The run ended before it came here.";
}

function StepTabs({ step, run }: { step: StepItem; run: RunObject }) {
  const [{ view: asked }, setUrl] = useUrlState(CODECS);
  const tabs = [
    ...(step.error === null
      ? []
      : [{ value: "error" as const, label: "Error", content: <StepError step={step} error={step.error} /> }]),
    { value: "input" as const, label: "Input", content: <StepPayload step={step} side="input" /> },
    { value: "output" as const, label: "Output", content: <StepPayload step={step} side="output" /> },
    { value: "details" as const, label: "Details", content: <StepFacts step={step} run={run} /> },
  ];
  const preferred = step.error !== null ? "error" : step.status === "started" ? "input" : "output";
  const tab = tabs.find(({ value }) => value === asked)?.value ?? preferred;
  return (
    <Tabs
      label="What went in and what came out"
      value={tab}
      onChange={(next) => setUrl({ view: next })}
      tabs={tabs}
      listClassName="px-4"
      panelClassName="p-4"
    />
  );
}

function StepError({ step, error }: { step: StepItem; error: NonNullable<StepItem["error"]> }) {
  return (
    <div className="flex flex-col gap-3">
      <RunErrorCard error={error} note={`attempt ${step.attempt}`} />
      {step.status === "failed_continued" ? (
        <p className="text-text-2">The step is set to continue on failure, so the run went on with an empty output.</p>
      ) : null}
    </div>
  );
}

function StepPayload({ step, side }: { step: StepItem; side: "input" | "output" }) {
  const value = step[side];
  if (side === "output" && step.status !== "completed") {
    return (
      <p className="text-text-2">
        {step.status === "started" ? "The step is running." : "The step ended without an output."}
      </p>
    );
  }
  return (
    <JsonView
      value={value}
      label={side}
      isTruncated={step.truncated}
      expressionRoot={side === "output" ? step.step_id : undefined}
    />
  );
}

function StepFacts({ step, run }: { step: StepItem; run: RunObject }) {
  return (
    <Facts
      facts={[
        { label: "Step id", value: <code className="font-mono text-dense">{step.step_id}</code> },
        { label: "Type", value: step.type.replaceAll("_", " ") },
        ...(step.connector === undefined
          ? []
          : [{ label: "Calls", value: [step.connector, step.operation].filter(Boolean).join(" · ") }]),
        { label: "Attempts", value: String(step.attempt) },
        { label: "Started", value: step.started_at === null ? "–" : describeInstant(step.started_at) },
        { label: "Ended", value: step.completed_at === null ? "–" : describeInstant(step.completed_at) },
        { label: "Duration", value: step.duration_ms === null ? "–" : describeDuration(step.duration_ms) },
        ...(step.reused && run.resume_from_run_id !== null
          ? [{ label: "Reused", value: <Original runId={run.resume_from_run_id} stepId={step.step_id} /> }]
          : []),
      ]}
    />
  );
}

function Original({ runId, stepId }: { runId: string; stepId: string }) {
  return (
    <>
      Taken over from{" "}
      <Link href={`/runs/${runId}?step=${encodeURIComponent(stepId)}`} className="link">
        the original run
      </Link>
    </>
  );
}
