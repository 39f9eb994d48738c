"use client";

import { isSuccess, type ReplayMode, type ReplayVersion, type RunObject } from "#lib/contract/run";
import type { ReplayPreviewObject } from "#lib/contract/web/web";
import { ClientError } from "@/components/api/client-error";
import { refusalAdvice } from "@/components/api/refusal-advice";
import { useRunGraph } from "@/components/features/runs/graph/use-run-graph";
import { listMisfits } from "@/components/features/runs/replay/corrected-input";
import { deriveReplay, replaySteps } from "@/components/features/runs/replay/derive-replay";
import { ReplayCorrections } from "@/components/features/runs/replay/replay-corrections";
import { ReplayInput } from "@/components/features/runs/replay/replay-input";
import { ReplayModeChoice } from "@/components/features/runs/replay/replay-mode-choice";
import { ReplaySummary } from "@/components/features/runs/replay/replay-summary";
import { ReplayVersionChoice } from "@/components/features/runs/replay/replay-version-choice";
import { useReplay } from "@/components/features/runs/replay/use-replay";
import { useReplayPreview } from "@/components/features/runs/replay/use-replay-preview";
import { FormDialog } from "@/components/ui/overlays/form-dialog";

interface ReplayDialogProps {
  run: RunObject;
  /** The initial replay mode. */
  mode: ReplayMode;
  /** The selected step; null if there is none. */
  stepId: string | null;
  /** The version that is selected first. */
  version: ReplayVersion;
  onClose: () => void;
}

/** Shows what a replay reuses and what it runs, before it creates the new run. */
export function ReplayDialog({ run, mode, stepId, version, onClose }: ReplayDialogProps) {
  const preview = useReplayPreview(run);
  const misfits = listMisfits(preview?.input_problems ?? [], run.input);
  const steps = replaySteps(run);
  const replay = useReplay(run, { ...beginning(run, mode, stepId, steps), version }, misfits);
  const latest = replay.version === "latest" ? preview : null;
  const graph = useRunGraph(run);
  const definition = run.dry_run ? null : ((latest ?? graph)?.definition ?? null);
  const kept = steps.filter((step) => latest === null || latest.definition.nodes.some(({ id }) => id === step.stepId));
  const plan = deriveReplay({
    run,
    definition,
    mode: replay.mode,
    stepId: replay.stepId,
    changedSteps: latest?.changed_steps,
  });
  const isTyped = replay.mode === "from_start" && replay.isEditing;
  return (
    <FormDialog
      form={replay.form}
      onClose={onClose}
      title="Replay this run"
      description={`Starts a new run ${versionWords(run, latest)}, with the current credentials. This run doesn't change.`}
      submitLabel="Replay"
      isBusy={replay.isBusy}
    >
      {preview === null ? null : <ReplayVersionChoice replay={replay} run={run} latest={preview.version} />}
      <ReplayModeChoice replay={replay} modes={offeredModes(run, kept.length, latest !== null)} steps={kept} />
      {replay.mode === "from_start" ? <ReplayInput replay={replay} input={run.input} /> : null}
      {latest === null || misfits.length === 0 || isTyped ? null : (
        <ReplayCorrections replay={replay} misfits={misfits} version={latest.version} />
      )}
      <section aria-label="What this replay does" aria-live="polite" className="rounded-3 bg-sunken px-3 py-2.5">
        {run.dry_run ? (
          <p className="text-text-2">This was a dry run. Its replay runs every step for real.</p>
        ) : (
          <ReplaySummary plan={plan} />
        )}
      </section>
      {replay.error === null ? null : <Refusal error={replay.error} />}
    </FormDialog>
  );
}

/** Returns the requested mode, if this run can be replayed that way. */
function beginning(run: RunObject, mode: ReplayMode, stepId: string | null, steps: readonly { stepId: string }[]) {
  const isOffered = offeredModes(run, steps.length, false).includes(mode);
  const wanted = [stepId, run.error?.step_id].find((id) => steps.some((step) => step.stepId === id));
  return { mode: isOffered ? mode : "from_start", stepId: wanted ?? steps[0]?.stepId ?? null } as const;
}

/** Resuming a successful run on its own version would do nothing; a run without steps has none to start from. */
function offeredModes(run: RunObject, stepCount: number, isOtherVersion: boolean): ReplayMode[] {
  return [
    ...(isSuccess(run.status) && !isOtherVersion ? [] : (["resume"] as const)),
    "from_start",
    ...(stepCount === 0 ? [] : (["from_step"] as const)),
  ];
}

function versionWords(run: RunObject, latest: ReplayPreviewObject | null): string {
  if (latest !== null) return `on version ${latest.version}`;
  return run.action_release_version === null ? "on the same version" : `on version ${run.action_release_version}`;
}

function Refusal({ error }: { error: Error }) {
  const details = error instanceof ClientError ? error.fieldErrors : [];
  const advice = refusalAdvice(error);
  return (
    <div role="alert" className="rounded-2 bg-err-bg px-3 py-2 text-err">
      <p>{error.message}</p>
      {advice === null ? null : <p className="text-text">{advice}</p>}
      {details.length === 0 ? null : (
        <ul className="list-disc pl-5">
          {details.map(({ pointer, field, message }) => (
            <li key={`${pointer} ${message}`} className="[overflow-wrap:anywhere]">
              <code className="font-mono text-dense">{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
