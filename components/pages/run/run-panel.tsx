"use client";

import { isCancelled, isTerminal, type RunError, type RunObject } from "#lib/contract/run/run";
import type { RunGraphObject } from "#lib/contract/wire/web";
import { findStepKind } from "#lib/core/steps/step-kinds";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatInstant } from "#lib/support/format/format-moment";
import { curlPoll, curlRun } from "@/components/features/actions/snippets";
import { JsonView } from "@/components/features/json/json-view";
import { cancelWords } from "@/components/features/runs/cancel-words";
import { listWaits } from "@/components/features/runs/list-waits";
import { RunErrorCard } from "@/components/features/runs/run-error-card";
import { RunSubject } from "@/components/features/runs/run-subject";
import { RunWarnings } from "@/components/features/runs/run-warnings";
import { ApprovalCard } from "@/components/pages/run/approval-card";
import { WaitCard } from "@/components/pages/run/wait-card";
import { useSession } from "@/components/shell/session-context";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { Facts } from "@/components/ui/lists/facts";
import { Tabs } from "@/components/ui/lists/tabs";
import { choiceCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";
import { RUN_SOURCE_WORDS } from "@/components/words/run-sources";

const TABS = ["error", "input", "output", "details"] as const;
const CODECS = { view: choiceCodec(TABS, null) };

/** The run as a whole: its input and its output. */
export function RunPanel({ run, graph }: { run: RunObject; graph: RunGraphObject | null }) {
  const [{ view: asked }, setUrl] = useUrlState(CODECS);
  const waits = listWaits(run);
  const tabs = [
    ...(run.error === null
      ? []
      : [
          {
            value: "error" as const,
            label: "Error",
            content: <RunFailure run={run} error={run.error} isDeleted={graph?.is_deleted ?? false} />,
          },
        ]),
    { value: "input" as const, label: "Input", content: <RunInput run={run} /> },
    { value: "output" as const, label: "Output", content: <RunOutput run={run} /> },
    { value: "details" as const, label: "Details", content: <RunFacts run={run} graph={graph} /> },
  ];
  const preferred = run.error !== null ? "error" : run.output === null ? "input" : "output";
  const tab = tabs.find(({ value }) => value === asked)?.value ?? preferred;
  return (
    <>
      <header className="border-b border-border px-4 py-3">
        <h2 className="text-title font-semibold">Whole run</h2>
        {run.dry_run ? <p className="text-text-2">A dry run: the input was checked, and no step ran.</p> : null}
        {isCancelled(run.status) ? <p className="text-text-2">{cancelWords(run)}.</p> : null}
      </header>
      {run.approval === null ? null : (
        <div className="px-4 pt-4 pb-2">
          <ApprovalCard approval={run.approval} runId={run.run_id} />
        </div>
      )}
      {waits.length === 0 ? null : (
        <div className="px-4 pt-4 pb-2">
          <WaitCard runId={run.run_id} waits={waits} />
        </div>
      )}
      <RunWarnings
        warnings={run.warnings}
        stepName={(stepId) => run.steps.find((step) => step.step_id === stepId)?.name ?? stepId}
      />
      <Tabs
        label="Input and output"
        value={tab}
        onChange={(next) => setUrl({ view: next })}
        tabs={tabs}
        listClassName="px-4"
        panelClassName="p-4"
      />
    </>
  );
}

function RunFailure({ run, error, isDeleted }: { run: RunObject; error: RunError; isDeleted: boolean }) {
  const { step_id: stepId } = error;
  const place =
    stepId === undefined || isDeleted ? undefined : { workflowId: run.workflow_id, stepId, runId: run.run_id };
  return <RunErrorCard error={error} place={place} failedAt={run.completed_at} />;
}

/** Expressions call it `action_input`, whatever the id of the entry step; the output of a trigger is in its step. */
function RunInput({ run }: { run: RunObject }) {
  const isCalled = run.action_slug !== null || run.steps.some(({ type }) => findStepKind(type)?.starts === "callable");
  return <JsonView value={run.input} label="input" expressionRoot={isCalled ? "action_input" : undefined} />;
}

function RunOutput({ run }: { run: RunObject }) {
  if (run.output !== null) return <JsonView value={run.output} label="output" />;
  return (
    <p className="text-text-2">
      {isTerminal(run.status) ? "The run ended without an output." : "The output appears when the run succeeds."}
    </p>
  );
}

function RunFacts({ run, graph }: { run: RunObject; graph: RunGraphObject | null }) {
  return (
    <Facts
      facts={[
        { label: "Run ID", value: <CopyableId id={run.run_id} label="Copy the run ID" /> },
        { label: "Correlation ID", value: <CopyableId id={run.correlation_id} label="Copy the correlation ID" /> },
        { label: "Command line", value: <Commands run={run} /> },
        {
          label: run.action_slug === null ? "Workflow" : "Action",
          value: graph?.is_deleted ? (
            <RunSubject run={run} />
          ) : (
            <Link
              href={run.action_slug === null ? `/workflows/${run.workflow_id}` : `/actions/${run.action_slug}`}
              className="link"
            >
              <RunSubject run={run} />
            </Link>
          ),
        },
        { label: "Version", value: versionWords(run, graph) },
        { label: "Source", value: RUN_SOURCE_WORDS[run.source] },
        ...(graph?.started_by == null ? [] : [{ label: "Started by", value: <Starter by={graph.started_by} /> }]),
        { label: "Created", value: formatInstant(run.created_at) },
        { label: "Started", value: formatInstant(run.started_at) },
        { label: "Ended", value: formatInstant(run.completed_at) },
        { label: "Running time", value: formatDuration(run.duration_ms) },
        ...linkFact("Replay of", run.resume_from_run_id),
        ...linkFact("Parent run", graph?.parent_run_id ?? null),
      ]}
    />
  );
}

function linkFact(label: string, runId: string | null) {
  if (runId === null) return [];
  return [
    {
      label,
      value: (
        <Link href={`/runs/${runId}`} className="link font-mono text-dense">
          {runId}
        </Link>
      ),
    },
  ];
}

function versionWords(run: RunObject, graph: RunGraphObject | null): string {
  const version = run.action_release_version ?? graph?.version ?? null;
  if (version !== null) return `v${version}`;
  return run.workflow_version_id === null ? "Draft" : "–";
}

function Starter({ by }: { by: NonNullable<RunGraphObject["started_by"]> }) {
  return (
    <>
      {by.name}
      {by.key_prefix === null ? null : (
        <code className="ml-1.5 font-mono text-dense text-text-2">{by.key_prefix}…</code>
      )}
    </>
  );
}

/** The call that made the run, with the input as shown here, and the call that polls its outcome. */
function Commands({ run }: { run: RunObject }) {
  const { base_url: baseUrl } = useSession();
  const { action_slug: slug, input, dry_run: isDryRun } = run;
  return (
    <span className="flex flex-wrap gap-2">
      {slug === null ? null : (
        <CopyButton value={curlRun({ baseUrl, slug, input, isDryRun })} label="Copy call as curl" hasText />
      )}
      <CopyButton value={curlPoll(baseUrl, run.run_id)} label="Copy status request as curl" hasText />
    </span>
  );
}

function CopyableId({ id, label }: { id: string; label: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <code className="font-mono text-dense [overflow-wrap:anywhere]">{id}</code>
      <CopyButton value={id} label={label} />
    </span>
  );
}
