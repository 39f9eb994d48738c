import Link from "next/link";
import type { RunError } from "#lib/contract/run";
import { errorHint } from "@/components/runs/error-hints";
import { Button } from "@/components/ui/button";

interface RunErrorCardProps {
  error: Pick<RunError, "code" | "message" | "retryAfterMs" | "step_name">;
  /** The step in its workflow, where the card is not shown beside it. */
  place?: { workflowId: string; stepId: string } | undefined;
  /** When it happened. */
  failedAt?: string | null | undefined;
  /** "Attempt 3". */
  note?: string | undefined;
}

/** Headline, what to do and where, and below it what the other side said word for word. */
export function RunErrorCard({ error, place, failedAt = null, note }: RunErrorCardProps) {
  const hint = errorHint(error, failedAt);
  return (
    <div className="overflow-hidden rounded-3 border border-border">
      <div className="flex flex-col gap-1 bg-err-bg px-3 py-2.5">
        <p className="font-semibold text-err">{hint.headline}</p>
        <p className="text-text">{hint.advice}</p>
        <Remedy remedy={hint.remedy} place={place} />
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

interface RemedyProps {
  remedy: ReturnType<typeof errorHint>["remedy"];
  place: RunErrorCardProps["place"];
}

function Remedy({ remedy, place }: RemedyProps) {
  const href =
    remedy === "connections"
      ? "/connections"
      : remedy === "step" && place !== undefined
        ? `/workflows/${place.workflowId}?node=${encodeURIComponent(place.stepId)}`
        : null;
  if (href === null) return null;
  return (
    <p className="pt-1">
      <Button asChild size="sm">
        <Link href={href}>{remedy === "connections" ? "Open Connections" : "Open the step in the canvas"}</Link>
      </Button>
    </p>
  );
}
