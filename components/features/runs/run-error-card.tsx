import type { RunError } from "#lib/contract/run/run";
import { editorAddress } from "@/components/features/runs/editor-address";
import { errorHint, type Remedy } from "@/components/features/runs/error-hints";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

interface RunErrorCardProps {
  error: Pick<RunError, "code" | "reason" | "message" | "retryAfterMs" | "step_name">;
  /** The step in its workflow; set if the card is not shown next to it. */
  place?: { workflowId: string; stepId: string; runId?: string } | undefined;
  /** When it happened. */
  failedAt?: string | null | undefined;
  /** "Attempt 3". */
  note?: string | undefined;
}

/** Shows a headline, what to do and where, and below it the original error message. */
export function RunErrorCard({ error, place, failedAt = null, note }: RunErrorCardProps) {
  const hint = errorHint(error, failedAt);
  return (
    <div className="overflow-hidden rounded-3 border border-border">
      <div className="flex flex-col gap-1 bg-err-bg px-3 py-2.5">
        <p className="font-semibold text-err">{hint.headline}</p>
        <p className="text-text">{hint.advice}</p>
        <Remedies remedies={hint.remedies} place={place} />
      </div>
      <div className="flex flex-col gap-1 px-3 py-2.5 font-mono text-dense">
        <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">{error.message}</p>
        <p className="text-text-3">
          {[error.code, error.step_name === undefined ? null : `in ${error.step_name}`, note]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
    </div>
  );
}

interface RemediesProps {
  remedies: readonly Remedy[];
  place: RunErrorCardProps["place"];
}

function Remedies({ remedies, place }: RemediesProps) {
  const step = remedies.includes("step") ? place : undefined;
  const hasConnections = remedies.includes("connections");
  if (step === undefined && !hasConnections) return null;
  return (
    <>
      {step === undefined ? null : (
        <p className="text-text-2">
          After a change, publish it and replay this run on the published version. Completed steps are reused.
        </p>
      )}
      <p className="flex flex-wrap gap-2 pt-1">
        {hasConnections ? (
          <Button asChild size="sm">
            <Link href="/connections">Open Connections</Link>
          </Button>
        ) : null}
        {step === undefined ? null : (
          <Button asChild size="sm">
            <Link href={editorAddress(step)}>Open in editor</Link>
          </Button>
        )}
      </p>
    </>
  );
}
