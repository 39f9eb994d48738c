"use client";

import { Ban, RotateCcw, X } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { isTerminal, type RunObject } from "#lib/contract/run/run";
import type { RunChoice } from "@/components/features/runs/list/use-run-choice";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";

const ChangeRunsDialog = lazy(() =>
  import("@/components/features/runs/list/change-runs-dialog").then((m) => ({ default: m.ChangeRunsDialog })),
);

interface ChosenRunsBarProps {
  runs: readonly RunObject[];
  choice: RunChoice;
}

/** The actions for the selected rows; renders nothing if none is selected. */
export function ChosenRunsBar({ runs, choice }: ChosenRunsBarProps) {
  const [asked, setAsked] = useState<"replay" | "cancel" | null>(null);
  const chosen = runs.filter((run) => choice.ids.has(run.run_id));
  const ended = chosen.filter((run) => isTerminal(run.status));
  const open = chosen.filter((run) => !isTerminal(run.status));
  // Selected runs may end while the dialog shows the results.
  if (chosen.length === 0 && asked === null) return null;
  return (
    <section
      aria-label="Selected runs"
      className="sticky bottom-3 z-10 mx-auto my-3 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-3 border border-border bg-raised px-3 py-2 shadow-2"
    >
      <span role="status" className="px-1 font-medium">
        {chosen.length} selected
      </span>
      {ended.length === 0 ? null : (
        <Button size="sm" onClick={() => setAsked("replay")}>
          <RotateCcw aria-hidden className="size-3.5" />
          Replay {ended.length}…
        </Button>
      )}
      {open.length === 0 ? null : (
        <Button size="sm" variant="danger" onClick={() => setAsked("cancel")}>
          <Ban aria-hidden className="size-3.5" />
          Cancel {open.length}…
        </Button>
      )}
      <IconButton icon={X} label="Clear selection" size="sm" onClick={() => choice.set([])} />
      {asked === null ? null : (
        <Suspense>
          <ChangeRunsDialog
            change={asked}
            runs={asked === "replay" ? ended : open}
            leftOut={asked === "replay" ? open.length : ended.length}
            onClose={(isDone) => {
              setAsked(null);
              if (isDone) choice.set([]);
            }}
          />
        </Suspense>
      )}
    </section>
  );
}
