"use client";

import { RotateCcw } from "lucide-react";
import { isSuccess, type RunObject } from "#lib/contract/run/run";
import { REPLAY_CODECS, replayRefusal, usualReplayMode } from "@/components/features/runs/replay/replay-offer";
import { useHasRole } from "@/components/shell/session-context";
import { useShortcuts } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/forms/kbd";
import { Tooltip } from "@/components/ui/tooltip";
import { useUrlState } from "@/components/ui/use-url-state";

/** Opens the replay dialog, or shows why the run cannot be replayed. */
export function ReplayButton({ run }: { run: RunObject }) {
  const refusal = replayRefusal(run, useHasRole("editor"));
  const [, setUrl] = useUrlState(REPLAY_CODECS);
  const isUsual = refusal === null && !isSuccess(run.status);
  const open = () => (refusal === null ? setUrl({ replay: usualReplayMode(run) }) : undefined);
  useShortcuts(refusal === null ? { r: open } : {});
  const button = (
    // Not `disabled`: that would hide the reason from keyboard users.
    <Button variant={isUsual ? "primary" : "secondary"} aria-disabled={refusal !== null || undefined} onClick={open}>
      <RotateCcw aria-hidden className="size-3.5" />
      <span className="max-sm:sr-only">Replay…</span>
      <span aria-hidden className="hidden lg:inline">
        <Kbd isInverse={isUsual}>R</Kbd>
      </span>
    </Button>
  );
  return refusal === null ? button : <Tooltip content={refusal}>{button}</Tooltip>;
}
