"use client";

import { isSuccess, type ReplayMode, type ReplayVersion, type RunObject } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { ReplayPreviewObject } from "#lib/contract/wire/web";
import { ClientError } from "@/components/api/client-error";
import { useOperation } from "@/components/api/operation-hooks";
import { refusalAdvice } from "@/components/api/refusal-advice";
import { splitRedactions } from "@/components/features/json/redaction";
import { useRunGraph } from "@/components/features/runs/graph/use-run-graph";
import { listMisfits } from "@/components/features/runs/replay/corrected-input";
import { deriveReplay, replaySteps } from "@/components/features/runs/replay/derive-replay";
import { ReplayCorrections } from "@/components/features/runs/replay/replay-corrections";
import { ReplayModeChoice } from "@/components/features/runs/replay/replay-mode-choice";
import { ReplaySummary } from "@/components/features/runs/replay/replay-summary";
import { type Replay, useReplay } from "@/components/features/runs/replay/use-replay";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Field } from "@/components/ui/forms/field";
import { Select } from "@/components/ui/forms/select";
import { Textarea } from "@/components/ui/forms/textarea";
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

/**
 * Returns what a replay on the published version would do. Null while that is unknown, if the run executed that version
 * itself, and if it cannot be replayed on another one.
 */
function useReplayPreview(run: RunObject): ReplayPreviewObject | null {
  const isPossible = run.workflow_version_id !== null && !run.dry_run;
  const preview = useOperation("preview_replay", { run_id: run.run_id }, { enabled: isPossible });
  return preview.data === undefined || preview.data.is_same ? null : preview.data;
}

/** The input of the new run: the original one or an edited copy. */
function ReplayInput({ replay, input }: { replay: Replay; input: JsonObject }) {
  const { form } = replay;
  const hidden = splitRedactions(JSON.stringify(input)).find(({ meaning }) => meaning !== null)?.text;
  return (
    <div className="flex flex-col gap-2">
      <Checkbox label="Edit input" isChecked={replay.isEditing} onChange={(isOn) => form.set("isEditing", isOn)} />
      {replay.isEditing ? (
        <Field
          label="Input"
          hint="JSON"
          error={form.problem("input")}
          {...(hidden === undefined
            ? {}
            : { description: `Redacted values such as ${hidden}keep their real values if you don't change them.` })}
        >
          {(control) => (
            <Textarea {...control} {...form.register("input")} isMono rows={8} spellCheck={false} autoFocus />
          )}
        </Field>
      ) : null}
    </div>
  );
}

interface ReplayVersionChoiceProps {
  replay: Replay;
  run: RunObject;
  /** The published version. */
  latest: number;
}

/** Selects the version that the replay runs. */
function ReplayVersionChoice({ replay, run, latest }: ReplayVersionChoiceProps) {
  const own = run.action_release_version;
  return (
    <Field
      label="Version"
      description="On the published version, completed steps are reused if they and everything before them are unchanged."
    >
      {(control) => (
        <Select
          {...control}
          value={replay.version}
          onChange={(event) => replay.form.set("version", event.target.value === "latest" ? "latest" : "same")}
        >
          <option value="same">{own === null ? "The version of this run" : `Version ${own}, as in this run`}</option>
          <option value="latest">Version {latest}, published now</option>
        </Select>
      )}
    </Field>
  );
}
