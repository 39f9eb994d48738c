import type { RunError } from "#lib/contract/run";
import { errorHint } from "@/components/runs/error-hints";

interface RunErrorCardProps {
  error: Pick<RunError, "code" | "message" | "retryAfterMs" | "step_name">;
  /** "Attempt 3". */
  note?: string | undefined;
}

/** Headline, what to do, and below it what the other side said word for word. */
export function RunErrorCard({ error, note }: RunErrorCardProps) {
  const hint = errorHint(error);
  return (
    <div className="overflow-hidden rounded-3 border border-border">
      <div className="flex flex-col gap-1 bg-err-bg px-3 py-2.5">
        <p className="font-semibold text-err">{hint.headline}</p>
        <p className="text-text">{hint.advice}</p>
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
