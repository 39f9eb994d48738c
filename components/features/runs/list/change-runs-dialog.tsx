"use client";

import Link from "next/link";
import { useState } from "react";
import type { RunObject } from "#lib/contract/run";
import type { RunChange } from "#lib/contract/web/web";
import { formatCount } from "#lib/support/format/format-number";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { shortId } from "@/components/words/short-id";

interface ChangeRunsDialogProps {
  change: "replay" | "cancel";
  runs: readonly RunObject[];
  /** Chosen, but not in a state for this. */
  leftOut: number;
  onClose: (isDone: boolean) => void;
}

/** Says what will be done to the runs, does it, and then says what came of each. */
export function ChangeRunsDialog({ change, runs: given, leftOut, onClose }: ChangeRunsDialogProps) {
  // As they were when it opened: a run that ends meanwhile is not to leave the list under the reader's eyes.
  const [runs] = useState(given);
  const { mutate, data, error, isPending } = useOperationMutation(change === "replay" ? "replay_runs" : "cancel_runs", {
    invalidates: ["list_runs"],
  });
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
              onClick={() => mutate({ run_ids: runs.map((run) => run.run_id) })}
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
          {leftOut === 0 ? null : <p>{words.leftOut(leftOut)}</p>}
          {error === null ? null : (
            <p role="alert" className="text-err">
              {error.message}
            </p>
          )}
        </div>
      ) : (
        <ul aria-label="What came of it" className="flex flex-col gap-1.5">
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
    way: "Leave them",
    variant: "primary",
    text: "Each becomes a new run of the same version: one that failed goes on where it stopped, one that succeeded begins again. They count against your limits.",
    leftOut: (count: number) =>
      `${count} of the chosen ${count === 1 ? "has" : "have"} not ended and cannot be replayed.`,
  },
  cancel: {
    verb: "Cancel",
    way: "Let them run",
    variant: "danger-solid",
    text: "Steps in progress are stopped and nothing after them starts. Steps that are done stay done.",
    leftOut: (count: number) =>
      `${count} of the chosen ${count === 1 ? "has" : "have"} ended already and ${count === 1 ? "stays" : "stay"} as ${count === 1 ? "it is" : "they are"}.`,
  },
} as const;

function summaryOf(changes: readonly RunChange[]): string {
  const done = changes.filter(({ outcome }) => outcome === "replayed" || outcome === "cancelled").length;
  const verb = changes.some(({ outcome }) => outcome === "replayed") ? "replayed" : "cancelled";
  const refused = changes.length - done;
  return refused === 0 ? `${done} ${verb}` : `${done} ${verb}, ${refused} not`;
}

function Outcome({ change }: { change: RunChange }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3">
      <RunLink runId={change.run_id} />
      {change.new_run_id === null ? (
        <span className={change.error === null ? "text-text-2" : "text-err"}>
          {change.error ?? (change.outcome === "cancelled" ? "Cancelled" : "Had ended before")}
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
