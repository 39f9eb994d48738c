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
  /** Shown until it is known whether there are first steps, so that they push nothing down when they appear. */
  skeleton: ReactNode;
  /** The page below the first steps. */
  children: ReactNode;
}

/**
 * Publish, create a key, call: the first steps of a workspace that no one has called yet, checked off from its real
 * data.
 */
export function OnboardingChecklist({ skeleton, children }: OnboardingChecklistProps) {
  const { workspace } = useSession();
  const [wanted, want] = useFirstSteps(workspace.workspace_id);
  const { data, isPending } = useOnboarding(wanted !== null && wanted !== "dismissed");
  // A user who arrives after the first call needs no checklist; a user who makes the first call here sees it checked
  // off.
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
        <IconButton icon={X} size="sm" label="Dismiss the first steps" onClick={onDismiss} />
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
          "Open or create a workflow, then press Activate."
        ) : (
          <>
            <code className="font-mono text-dense">{slug}</code> is ready to call.
          </>
        )}
      </Step>
      <Step isDone={hasKey} title="Create an API key">
        {hasKey ? (
          "You have a key. Callers need it as SVC_API_KEY in their environment."
        ) : (
          <Link href="/keys?new=true" className="text-accent hover:underline">
            New API key
          </Link>
        )}
      </Step>
      <Step isDone={runId !== null} isWaiting={isReady && runId === null} title="Make the first call">
        {runId !== null ? (
          <Link href={`/runs/${runId}`} className="text-accent hover:underline">
            Call received. View the run
          </Link>
        ) : isReady ? (
          <div className="flex flex-col gap-2">
            <span role="status">Waiting for your first call.</span>
            <Suspense fallback={<Skeleton className="h-28 w-full" />}>
              <FirstCall slug={slug} />
            </Suspense>
          </div>
        ) : (
          "Finish the first two steps to get a call that you can paste."
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
