"use client";

import { clsx } from "clsx";
import { isExecuting, type RunObject } from "#lib/contract/run/run";
import { RunDuration } from "@/components/features/runs/run-duration";
import { RunSubject } from "@/components/features/runs/run-subject";
import { RelativeTime } from "@/components/words/relative-time";
import { RUN_SOURCE_WORDS } from "@/components/words/run-sources";

/** Shows what ran, which version, what started it, how long it took and when, on one line. */
export function RunFactsLine({ run, className }: { run: RunObject; className?: string }) {
  const hasDuration = run.duration_ms !== null || isExecuting(run.status);
  return (
    <span
      className={clsx(
        "flex min-w-0 items-baseline text-text-2 [&>*+*]:shrink-0 [&>*+*]:before:mx-1.5 [&>*+*]:before:content-['·']",
        className,
      )}
    >
      <span className="min-w-0 truncate">
        <RunSubject run={run} />
      </span>
      {run.action_release_version === null ? null : <span>v{run.action_release_version}</span>}
      {/* At these widths, the buttons of a waiting run leave no space for both the action and its usual source. */}
      <span className={clsx(run.source === "action" && "xl:max-[1440px]:hidden")}>{RUN_SOURCE_WORDS[run.source]}</span>
      {hasDuration ? (
        <span>
          <RunDuration run={run} />
        </span>
      ) : null}
      <span>
        <RelativeTime at={run.created_at} />
      </span>
    </span>
  );
}
