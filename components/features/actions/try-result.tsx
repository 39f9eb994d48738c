"use client";

import { ArrowRight } from "lucide-react";
import { isTerminal, isWaiting, type RunObject } from "#lib/contract/run/run";
import { ClientError } from "@/components/api/client-error";
import { refusalAdvice } from "@/components/api/refusal-advice";
import { JsonView } from "@/components/features/json/json-view";
import { RunDuration } from "@/components/features/runs/run-duration";
import { RunErrorCard } from "@/components/features/runs/run-error-card";
import { useRun } from "@/components/features/runs/use-run";
import { Link } from "@/components/ui/link";
import { RunStatusChip } from "@/components/words/status-chip";

interface TryResultProps {
  run: RunObject | undefined;
  error: Error | null;
}

/** Shows the result of the call: the refusal, or the run until it ends. */
export function TryResult({ run, error }: TryResultProps) {
  if (error !== null) return <Refusal error={error} />;
  if (run !== undefined) return <FollowedRun key={run.run_id} runId={run.run_id} />;
  return (
    <div className="flex min-h-24 items-center justify-center rounded-3 border border-dashed border-border-strong p-4 text-text-3">
      The result appears here.
    </div>
  );
}

function Refusal({ error }: { error: Error }) {
  const details = error instanceof ClientError ? error.fieldErrors : [];
  const advice = refusalAdvice(error);
  return (
    <div role="alert" className="rounded-3 border border-border">
      <div className="rounded-t-3 bg-err-bg px-3 py-2 text-err">
        <p className="font-mono text-dense font-medium">
          {error instanceof ClientError ? `${error.status || "No response"} ${error.code}` : "Failed"}
        </p>
        <p>{error.message}</p>
        {advice === null ? null : <p className="text-text">{advice}</p>}
      </div>
      {details.length === 0 ? null : (
        <ul className="flex flex-col gap-1 px-3 py-2">
          {details.map((detail) => (
            <li key={detail.pointer + detail.code}>
              <code className="font-mono text-dense">{detail.field}</code>{" "}
              <span className="text-text-2">{detail.message}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function FollowedRun({ runId }: { runId: string }) {
  const { data: run, error } = useRun(runId);
  if (run === undefined) return error === null ? null : <Refusal error={error} />;
  return (
    <section aria-label="Result" className="flex flex-col rounded-3 border border-border bg-surface">
      <header className="flex flex-wrap items-center gap-3 border-b border-border px-3 py-2" aria-live="polite">
        <RunStatusChip status={run.status} />
        <RunDuration run={run} />
        <Link href={`/runs/${run.run_id}`} className="link ml-auto inline-flex items-center gap-1">
          View run
          <ArrowRight aria-hidden className="size-3.5" />
        </Link>
      </header>
      <div className="flex flex-col gap-3 p-3">
        {run.error === null ? null : <RunErrorCard error={run.error} />}
        {run.error !== null ? null : run.output === null ? (
          <p className="text-text-2">{waitingWords(run)}</p>
        ) : (
          <JsonView value={run.output} label="output" />
        )}
      </div>
    </section>
  );
}

function waitingWords(run: RunObject): string {
  if (run.dry_run) return "The input is valid. A real run would start now.";
  if (isWaiting(run.status)) return "This run is waiting for approval.";
  if (!isTerminal(run.status)) return "Waiting for the result.";
  return "The run ended without an output.";
}
