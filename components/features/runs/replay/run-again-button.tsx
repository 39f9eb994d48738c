"use client";

import { Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { isSuccess, isTerminal, type RunObject } from "#lib/contract/run/run";
import { ClientError } from "@/components/api/client-error";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { REPLAY_CODECS } from "@/components/features/runs/replay/replay-offer";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { toast } from "@/components/ui/toast";
import { useUrlState } from "@/components/ui/use-url-state";

/**
 * Runs the published version again with the input of an ended run. A run in progress, and a dry run, whose repetition
 * may be a dry run or not, open the form of the action instead.
 */
export function RunAgainButton({ run, slug }: { run: RunObject; slug: string }) {
  const canRun = useHasRole("editor") && isTerminal(run.status) && !run.dry_run;
  const variant = isSuccess(run.status) ? "primary" : "secondary";
  return canRun ? (
    <RepeatButton run={run} variant={variant} />
  ) : (
    <Button asChild variant={variant}>
      <Link href={`/actions/${slug}?tab=try&from=${run.run_id}`} aria-label="Run again">
        <Play aria-hidden className="size-3.5" />
        <span className="hidden sm:inline">Run again…</span>
      </Link>
    </Button>
  );
}

function RepeatButton({ run, variant }: { run: RunObject; variant: "primary" | "secondary" }) {
  const router = useRouter();
  const [, setUrl] = useUrlState(REPLAY_CODECS);
  const repeat = useOperationMutation("replay_run", {
    invalidates: ["list_runs"],
    onSuccess: (made) => {
      toast("Run started.");
      router.push(`/runs/${made.run_id}`);
    },
  });
  const start = () =>
    repeat.mutate(
      { run_id: run.run_id, mode: "from_start", version: "latest" },
      {
        onError: (error) => {
          // The dialog shows which fields no longer fit, and takes corrections.
          if (error instanceof ClientError && error.code === "INPUT_VALIDATION_FAILED") {
            setUrl({ replay: "from_start", version: "latest" });
          } else toast.error(error.message);
        },
      },
    );
  return (
    // Stays busy until the new run is on the screen.
    <Button variant={variant} aria-label="Run again" isBusy={repeat.isPending || repeat.isSuccess} onClick={start}>
      <Play aria-hidden className="size-3.5" />
      <span className="hidden sm:inline">Run again</span>
    </Button>
  );
}
