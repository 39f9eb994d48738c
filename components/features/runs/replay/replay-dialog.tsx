"use client";

import { isSuccess, type ReplayMode, type RunObject } from "#lib/contract/run";
import { ClientError } from "@/components/api/client-error";
import { refusalAdvice } from "@/components/api/refusal-advice";
import { useRunGraph } from "@/components/features/runs/graph/use-run-graph";
import { deriveReplay, replaySteps } from "@/components/features/runs/replay/derive-replay";
import { ReplayInput } from "@/components/features/runs/replay/replay-input";
import { ReplayModeChoice } from "@/components/features/runs/replay/replay-mode-choice";
import { ReplaySummary } from "@/components/features/runs/replay/replay-summary";
import { useReplay } from "@/components/features/runs/replay/use-replay";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";

interface ReplayDialogProps {
  run: RunObject;
  /** The initial replay mode. */
  mode: ReplayMode;
  /** The selected step; null if there is none. */
  stepId: string | null;
  onClose: () => void;
}

/** Shows what a replay reuses and what it runs, before it creates the new run. */
export function ReplayDialog({ run, mode, stepId, onClose }: ReplayDialogProps) {
  const steps = replaySteps(run);
  const replay = useReplay(run, beginning(run, mode, stepId, steps));
  const graph = useRunGraph(run);
  const definition = run.dry_run ? null : (graph?.definition ?? null);
  const plan = deriveReplay({ run, definition, mode: replay.mode, stepId: replay.stepId });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Replay this run"
      description={`Starts a new run ${versionWords(run)}, with the current credentials. This run doesn't change.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={replay.form.props.id} variant="primary" isBusy={replay.isBusy}>
            Replay
          </Button>
        </>
      }
    >
      <form {...replay.form.props} className="flex flex-col gap-4">
        <ReplayModeChoice replay={replay} modes={offeredModes(run, steps.length)} steps={steps} />
        {replay.mode === "from_start" ? <ReplayInput replay={replay} input={run.input} /> : null}
        <section aria-label="What this replay does" aria-live="polite" className="rounded-3 bg-sunken px-3 py-2.5">
          {run.dry_run ? (
            <p className="text-text-2">This was a dry run. Its replay runs every step for real.</p>
          ) : (
            <ReplaySummary plan={plan} />
          )}
        </section>
        {replay.error === null ? null : <Refusal error={replay.error} />}
      </form>
    </Dialog>
  );
}

/** Returns the requested mode, if this run can be replayed that way. */
function beginning(run: RunObject, mode: ReplayMode, stepId: string | null, steps: readonly { stepId: string }[]) {
  const isOffered = offeredModes(run, steps.length).includes(mode);
  const wanted = [stepId, run.error?.step_id].find((id) => steps.some((step) => step.stepId === id));
  return { mode: isOffered ? mode : "from_start", stepId: wanted ?? steps[0]?.stepId ?? null } as const;
}

/** Resuming a successful run would do nothing; a run without steps has none to start from. */
function offeredModes(run: RunObject, stepCount: number): ReplayMode[] {
  return [
    ...(isSuccess(run.status) ? [] : (["resume"] as const)),
    "from_start",
    ...(stepCount === 0 ? [] : (["from_step"] as const)),
  ];
}

function versionWords(run: RunObject): string {
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
