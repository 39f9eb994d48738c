"use client";

import { RotateCcw } from "lucide-react";
import type { RunObject } from "#lib/contract/run/run";
import { findStepKind } from "#lib/core/steps/step-kinds";
import { REPLAY_CODECS, replayRefusal } from "@/components/features/runs/replay/replay-offer";
import type { TimelineRow } from "@/components/features/runs/timeline/derive-timeline";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { optionalTextCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const CODECS = { ...REPLAY_CODECS, step: optionalTextCodec };

/** Opens a replay that starts from the selected step. */
export function ReplayFromStep({ row: { key, step }, run }: { row: TimelineRow; run: RunObject }) {
  const canEdit = useHasRole("editor");
  const [, setUrl] = useUrlState(CODECS);
  if (step === null || step.status === "skipped") return null;
  // The entry is the start; the button in the header covers it.
  if (findStepKind(step.type)?.starts !== null) return null;
  if (replayRefusal(run, canEdit) !== null) return null;
  return (
    <Button size="sm" className="ml-auto" onClick={() => setUrl({ step: key, replay: "from_step" })}>
      <RotateCcw aria-hidden className="size-3" />
      Replay from here…
    </Button>
  );
}
