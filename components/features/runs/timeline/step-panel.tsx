"use client";

import type { ReactNode } from "react";
import type { StepItem } from "#lib/contract/run/journal";
import type { RunObject } from "#lib/contract/run/run";
import type { StepDetailObject } from "#lib/contract/wire/web";
import { findStepKind } from "#lib/core/steps/step-kinds";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatInstant } from "#lib/support/format/format-moment";
import { JsonView } from "@/components/features/json/json-view";
import { cancelWords } from "@/components/features/runs/cancel-words";
import { RunErrorCard } from "@/components/features/runs/run-error-card";
import { RunWarnings } from "@/components/features/runs/run-warnings";
import { StepConsole } from "@/components/features/runs/step-console";
import type { TimelineRow } from "@/components/features/runs/timeline/derive-timeline";
import { StepAttempts } from "@/components/features/runs/timeline/step-attempts";
import { StepEvents } from "@/components/features/runs/timeline/step-events";
import { useStepDetail } from "@/components/features/runs/timeline/use-step-detail";
import { Link } from "@/components/ui/link";
import { Facts } from "@/components/ui/lists/facts";
import { QueryView } from "@/components/ui/lists/query-view";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";
import { Tabs } from "@/components/ui/lists/tabs";
import { choiceCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";
import { isWaitStep, STEP_STATUS_LOOK, shownStatusOf } from "@/components/words/status";
import { StepStatusChip } from "@/components/words/status-chip";

const TABS = ["error", "input", "output", "console", "attempts", "events", "details"] as const;
const CODECS = { view: choiceCodec(TABS, null) };

interface StepPanelProps {
  row: TimelineRow;
  run: RunObject;
  /** True if the workflow was deleted: the step then has no actions. */
  isDeleted: boolean;
  /** The actions for the step. */
  actions: ReactNode;
}

export function StepPanel({ row, run, isDeleted, actions }: StepPanelProps) {
  const { step } = row;
  return (
    <>
      <header className="flex flex-col gap-2 border-b border-border px-4 py-3">
        <div className="flex items-baseline gap-2">
          {row.number === "" ? null : <span className="font-mono text-dense text-text-3">{row.number}</span>}
          <h2 className="min-w-0 text-title font-semibold [overflow-wrap:anywhere]">{row.name}</h2>
        </div>
        <div className="flex flex-wrap items-center gap-2 empty:hidden">
          {row.status === null || (step === null && run.completed_at === null) ? null : (
            <StepStatusChip status={row.status} />
          )}
          {actions}
        </div>
      </header>
      {step?.status === "cancelled" || step?.status === "stopped" ? (
        <p className="border-b border-border px-4 py-2 text-text-2">{endWords(step.status, run)}</p>
      ) : null}
      {step === null || step.status === "skipped" ? (
        <p className="p-4 text-text-2">{absenceWords(step, run)}</p>
      ) : (
        <>
          <RunWarnings warnings={step.warnings} />
          <StepTabs step={step} occurrence={row.occurrence} run={run} isDeleted={isDeleted} />
        </>
      )}
    </>
  );
}

function absenceWords(step: StepItem | null, run: RunObject): string {
  if (step?.skip_reason === "disabled") return "This step is disabled in this version, so the run skipped it.";
  if (step !== null) return "A condition skipped this step, so it didn't run.";
  return run.completed_at === null
    ? "The run hasn't reached this step yet."
    : "The run ended before it reached this step.";
}

function endWords(status: "cancelled" | "stopped", run: RunObject): string {
  if (status === "stopped") return "The run ended while this step was running.";
  return `${cancelWords(run)} while this step was running.`;
}

interface StepTabsProps extends Pick<StepPanelProps, "run" | "isDeleted"> {
  step: StepItem;
  occurrence: number;
}

function StepTabs({ step, occurrence, run, isDeleted }: StepTabsProps) {
  const [{ view: asked }, setUrl] = useUrlState(CODECS);
  const detail = useStepDetail(run.run_id, step, occurrence);
  const tabs = [
    ...(step.error === null
      ? []
      : [
          {
            value: "error" as const,
            label: "Error",
            content: <StepError step={step} error={step.error} run={run} isDeleted={isDeleted} />,
          },
        ]),
    { value: "input" as const, label: "Input", content: <StepPayload detail={detail} step={step} side="input" /> },
    { value: "output" as const, label: "Output", content: <StepPayload detail={detail} step={step} side="output" /> },
    ...(findStepKind(step.type)?.program?.language === "typescript"
      ? [{ value: "console" as const, label: "Console", content: <LastConsole detail={detail} step={step} /> }]
      : []),
    {
      value: "attempts" as const,
      label: step.attempt > 1 ? `Attempts (${step.attempt})` : "Attempts",
      content: (
        <Detail detail={detail} what="attempts">
          {({ events }) => <StepAttempts step={step} events={events} />}
        </Detail>
      ),
    },
    {
      value: "events" as const,
      label: "Events",
      content: (
        <Detail detail={detail} what="events">
          {({ events }) => <StepEvents events={events} runCreatedAt={run.created_at} />}
        </Detail>
      ),
    },
    { value: "details" as const, label: "Details", content: <StepFacts step={step} run={run} /> },
  ];
  const preferred = step.error !== null ? "error" : step.status === "started" ? "input" : "output";
  const tab = tabs.find(({ value }) => value === asked)?.value ?? preferred;
  return (
    <Tabs
      label="Input and output"
      value={tab}
      onChange={(next) => setUrl({ view: next })}
      tabs={tabs}
      listClassName="px-4"
      panelClassName="p-4"
    />
  );
}

interface DetailProps {
  detail: ReturnType<typeof useStepDetail>;
  /** What could not be loaded, such as "input". */
  what: string;
  children: (detail: StepDetailObject) => ReactNode;
}

function Detail({ detail, what, children }: DetailProps) {
  return (
    <QueryView
      query={detail}
      skeleton={
        <>
          <LoadingLabel>{`Loading the ${what}`}</LoadingLabel>
          <Skeleton className="h-24 w-full" />
        </>
      }
      errorTitle={`Couldn't load the ${what}.`}
    >
      {children}
    </QueryView>
  );
}

interface StepErrorProps extends Pick<StepPanelProps, "run" | "isDeleted"> {
  step: StepItem;
  error: NonNullable<StepItem["error"]>;
}

function StepError({ step, error, run, isDeleted }: StepErrorProps) {
  const place = isDeleted ? undefined : { workflowId: run.workflow_id, stepId: step.step_id, runId: run.run_id };
  return (
    <div className="flex flex-col gap-3">
      <RunErrorCard error={error} place={place} failedAt={step.completed_at} note={`attempt ${step.attempt}`} />
      <ServiceAnswer stepId={step.step_id} error={error} />
      {step.status === "failed_continued" ? (
        <p className="text-text-2">
          The run continued without an output from this step. Later steps can read the error.
        </p>
      ) : null}
    </div>
  );
}

/** What the service answered to the last attempt, if it did. */
function ServiceAnswer({ stepId, error: { status, body } }: { stepId: string; error: StepErrorProps["error"] }) {
  if (status === undefined) return null;
  return (
    <section aria-label="Response from the service" className="flex flex-col gap-2">
      <h3 className="font-semibold">Response {status}</h3>
      {body === undefined ? null : <JsonView value={body} label="body" expressionRoot={`${stepId}.error.body`} />}
    </section>
  );
}

function StepPayload({
  detail,
  step,
  side,
}: Pick<DetailProps, "detail"> & { step: StepItem; side: "input" | "output" }) {
  if (side === "output" && step.status !== "completed") {
    return (
      <p className="text-text-2">
        {step.status === "started" ? underWayWords(step) : "The step ended without an output."}
      </p>
    );
  }
  return (
    <Detail detail={detail} what={side}>
      {(loaded) => (
        <JsonView value={loaded[side]} label={side} expressionRoot={side === "output" ? step.step_id : undefined} />
      )}
    </Detail>
  );
}

function underWayWords(step: StepItem): string {
  return isWaitStep(step) ? `${STEP_STATUS_LOOK[shownStatusOf(step)].word}.` : "The step is running.";
}

/** What the last attempt wrote; the attempts before it have theirs among the events. */
function LastConsole({ detail, step }: Pick<DetailProps, "detail"> & { step: StepItem }) {
  if (step.status === "started") return <p className="text-text-2">The step is running.</p>;
  return (
    <Detail detail={detail} what="console">
      {({ events }) => {
        const lines = events.findLast(({ event }) => event !== "step_started")?.console;
        if (lines === undefined) return <p className="text-text-2">The code wrote nothing to its console.</p>;
        return <StepConsole lines={lines} />;
      }}
    </Detail>
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
        { label: "Started", value: formatInstant(step.started_at) },
        { label: "Ended", value: formatInstant(step.completed_at) },
        {
          label: step.attempt > 1 ? "Last attempt" : "Duration",
          value: formatDuration(step.duration_ms),
        },
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
      Reused from{" "}
      <Link href={`/runs/${runId}?step=${encodeURIComponent(stepId)}`} className="link">
        the original run
      </Link>
    </>
  );
}
