import { clsx } from "clsx";
import type { RunStatus } from "#lib/contract/run/run";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/words/relative-time";
import { RUN_STATUS_LOOK } from "@/components/words/status";
import { TONE_TEXT } from "@/components/words/tone-text";

interface RunStatusLinkProps {
  run: { run_id: string; status: RunStatus; created_at: string };
}

/** Shows how a run ended and when, and links to it. */
export function RunStatusLink({ run }: RunStatusLinkProps) {
  const look = RUN_STATUS_LOOK[run.status];
  return (
    <Link href={`/runs/${run.run_id}`} className="relative inline-flex items-center gap-1.5 rounded-1 hover:underline">
      <look.icon
        aria-hidden
        className={clsx("size-3.5", TONE_TEXT[look.tone], look.isSpinning && "animate-spin")}
        strokeWidth={2.25}
      />
      <span className={TONE_TEXT[look.tone]}>{look.word}</span>
      <RelativeTime at={run.created_at} className="text-text-2" />
    </Link>
  );
}
