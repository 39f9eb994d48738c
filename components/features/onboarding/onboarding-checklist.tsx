"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Circle, CircleCheck, LoaderCircle, X } from "lucide-react";
import Link from "next/link";
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { OnboardingObject } from "#lib/contract/web/run-usage";
import { invalidateOperations, useOperation } from "@/components/api/operation-hooks";
import { useCoalesced } from "@/components/api/use-coalesced";
import { useRunChanges } from "@/components/api/use-run-changes";
import { useFirstSteps } from "@/components/features/onboarding/use-first-steps";
import { useSession } from "@/components/shell/session-context";
import { IconButton } from "@/components/ui/icon-button";
import { Skeleton } from "@/components/ui/lists/skeleton";

const FirstCall = lazy(() =>
  import("@/components/features/onboarding/first-call").then((m) => ({ default: m.FirstCall })),
);

const REFRESH_MS = 1_000;
const POLL_MS = 5_000;

interface OnboardingChecklistProps {
  /** Stands there while it is not known whether there are first steps: what comes must not be pushed down by them. */
  skeleton: ReactNode;
  /** What stands below. */
  children: ReactNode;
}

/** Publish, make a key, call: the way of a workspace that nobody has called yet, checked off by what is there. */
export function OnboardingChecklist({ skeleton, children }: OnboardingChecklistProps) {
  const { workspace } = useSession();
  const [wanted, want] = useFirstSteps(workspace.workspace_id);
  const { data, isPending } = useOnboarding(wanted !== null && wanted !== "dismissed");
  // Who comes with a first call behind them needs none of this; who makes it here should see that it came.
  const [hasWaited, setHasWaited] = useState(false);
  if (data !== undefined && data.first_run_id === null && !hasWaited) setHasWaited(true);
  if (wanted === null || (wanted !== "dismissed" && isPending)) return skeleton;
  const isShown = wanted === "asked" || (wanted === "as_needed" && hasWaited);
  return (
    <>
      {isShown && data !== undefined ? <Checklist onboarding={data} onDismiss={() => want("dismissed")} /> : null}
      {children}
    </>
  );
}

function Checklist({ onboarding, onDismiss }: { onboarding: OnboardingObject; onDismiss: () => void }) {
  return (
    <section
      aria-label="First steps"
      className="m-4 flex max-w-[860px] flex-col gap-3 rounded-3 border border-border p-4"
    >
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-title font-semibold">First steps</h2>
        <IconButton icon={X} size="sm" label="Put the first steps away" onClick={onDismiss} />
      </div>
      <ol className="flex flex-col gap-3">
        <Steps onboarding={onboarding} />
      </ol>
    </section>
  );
}

function useOnboarding(isWanted: boolean) {
  const queryClient = useQueryClient();
  const query = useOperation(
    "get_onboarding",
    {},
    { enabled: isWanted, refetchInterval: (data) => (data?.first_run_id == null ? POLL_MS : false) },
  );
  const refresh = useCoalesced(() => void invalidateOperations(queryClient, ["get_onboarding"]), REFRESH_MS);
  useRunChanges(refresh, query.data !== undefined && query.data.first_run_id === null);
  return query;
}

function Steps({ onboarding }: { onboarding: OnboardingObject }) {
  const { action_slug: slug, has_key: hasKey, first_run_id: runId } = onboarding;
  const isReady = slug !== null && hasKey;
  return (
    <>
      <Step isDone={slug !== null} title="Publish an action">
        {slug === null ? (
          "Open a workflow, or make one, and press Activate."
        ) : (
          <>
            <code className="font-mono text-dense">{slug}</code> can be called.
          </>
        )}
      </Step>
      <Step isDone={hasKey} title="Make a key">
        {hasKey ? (
          "A key is there. Whoever calls needs it as SVC_API_KEY."
        ) : (
          <Link href="/keys?new=true" className="text-accent hover:underline">
            New API key
          </Link>
        )}
      </Step>
      <Step isDone={runId !== null} isWaiting={isReady && runId === null} title="Make the first call">
        {runId !== null ? (
          <Link href={`/runs/${runId}`} className="text-accent hover:underline">
            It came. See its run
          </Link>
        ) : isReady ? (
          <div className="flex flex-col gap-2">
            <span role="status">Waiting for your first call.</span>
            <Suspense fallback={<Skeleton className="h-28 w-full" />}>
              <FirstCall slug={slug} />
            </Suspense>
          </div>
        ) : (
          "Then the call to paste stands here."
        )}
      </Step>
    </>
  );
}

interface StepProps {
  isDone: boolean;
  isWaiting?: boolean;
  title: string;
  children: ReactNode;
}

function Step({ isDone, isWaiting = false, title, children }: StepProps) {
  const Icon = isDone ? CircleCheck : isWaiting ? LoaderCircle : Circle;
  return (
    <li className="flex gap-2.5">
      <Icon
        aria-hidden
        className={`mt-0.5 size-4 shrink-0 ${isDone ? "text-ok" : "text-text-3"} ${isWaiting ? "motion-safe:animate-spin" : ""}`}
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {title}
          {isDone ? <span className="sr-only"> (done)</span> : null}
        </p>
        <div className="text-text-2">{children}</div>
      </div>
    </li>
  );
}
