"use client";

import { useState } from "react";
import type { RunObject } from "#lib/contract/run/run";
import type { RunChange } from "#lib/contract/wire/web";
import { formatCount } from "#lib/support/format/format-number";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Link } from "@/components/ui/link";
import { Dialog } from "@/components/ui/overlays/dialog";
import { shortId } from "@/components/words/short-id";

interface ChangeRunsDialogProps {
  change: "replay" | "cancel";
  runs: readonly RunObject[];
  /** The number of selected runs whose status does not allow the change. */
  leftOut: number;
  onClose: (isDone: boolean) => void;
}

/** Describes the change, applies it to the runs, and then shows the result of each. */
export function ChangeRunsDialog({ change, runs: given, leftOut, onClose }: ChangeRunsDialogProps) {
  // The runs as they were when the dialog opened: a run that ends meanwhile must not disappear from the list.
  const [runs] = useState(given);
  const { mutate, data, error, isPending } = useOperationMutation(change === "replay" ? "replay_runs" : "cancel_runs", {
    invalidates: ["list_runs"],
  });
  const [isLatest, setIsLatest] = useState(false);
  const words = WORDS[change];
  const count = formatCount(runs.length, "run");
  return (
    <Dialog
      isOpen
      onClose={() => onClose(data !== undefined)}
      title={data === undefined ? `${words.verb} ${count}?` : summaryOf(data.data)}
      footer={
        data === undefined ? (
          <>
            <Button onClick={() => onClose(false)}>{words.way}</Button>
            <Button
              variant={words.variant}
              isBusy={isPending}
              onClick={() =>
                mutate({ run_ids: runs.map((run) => run.run_id), ...(isLatest ? { version: "latest" } : {}) })
              }
            >
              {words.verb} {count}
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={() => onClose(true)}>
            Done
          </Button>
        )
      }
    >
      {data === undefined ? (
        <div className="flex flex-col gap-2 text-text-2">
          <p>{words.text}</p>
          {change === "replay" ? (
            <Checkbox
              label="Use the published version"
              isChecked={isLatest}
              onChange={setIsLatest}
              description="Completed steps that did not change are reused. A run whose input no longer fits is refused."
            />
          ) : null}
          {leftOut === 0 ? null : <p>{words.leftOut(leftOut)}</p>}
          {error === null ? null : (
            <p role="alert" className="text-err">
              {error.message}
            </p>
          )}
        </div>
      ) : (
        <ul aria-label="Results" className="flex flex-col gap-1.5">
          {data.data.map((outcome) => (
            <Outcome key={outcome.run_id} change={outcome} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

const WORDS = {
  replay: {
    verb: "Replay",
    way: "Cancel",
    variant: "primary",
    text: "Each replay starts a new run and counts toward your limits. A failed run resumes where it stopped. A successful run starts over.",
    leftOut: (count: number) =>
      `${count} of the selected ${count === 1 ? "has" : "have"}n't ended and can't be replayed.`,
  },
  cancel: {
    verb: "Cancel",
    way: "Keep running",
    variant: "danger-solid",
    text: "Steps in progress are stopped and no further steps start. Completed steps are not undone.",
    leftOut: (count: number) =>
      `${count} of the selected ${count === 1 ? "has" : "have"} already ended and won't change.`,
  },
} as const;

function summaryOf(changes: readonly RunChange[]): string {
  const done = changes.filter(({ outcome }) => outcome === "replayed" || outcome === "cancelled").length;
  const verb = changes.some(({ outcome }) => outcome === "replayed") ? "replayed" : "cancelled";
  const refused = changes.length - done;
  return refused === 0 ? `${done} ${verb}` : `${done} ${verb}, ${refused} not ${verb}`;
}

function Outcome({ change }: { change: RunChange }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3">
      <RunLink runId={change.run_id} />
      {change.new_run_id === null ? (
        <span className={change.error === null ? "text-text-2" : "text-err"}>
          {change.error ?? (change.outcome === "cancelled" ? "Cancelled" : "Already ended")}
        </span>
      ) : (
        <span className="text-text-2">
          replayed as <RunLink runId={change.new_run_id} />
        </span>
      )}
    </li>
  );
}

function RunLink({ runId }: { runId: string }) {
  return (
    <Link href={`/runs/${runId}`} className="link font-mono text-dense">
      {shortId(runId)}
    </Link>
  );
}
