"use client";

import { Circle, CircleCheck, LoaderCircle, X } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import type { OnboardingObject } from "#lib/contract/run/run-usage";
import { useHasRole } from "@/components/shell/session-context";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/lists/skeleton";

const FirstCall = lazy(() =>
  import("@/components/features/onboarding/first-call").then((m) => ({ default: m.FirstCall })),
);
const TemplateStarts = lazy(() =>
  import("@/components/features/onboarding/template-starts").then((m) => ({ default: m.TemplateStarts })),
);

/** The first steps of a workspace, with what each of them needs. */
export function FirstSteps({ onboarding, onDismiss }: { onboarding: OnboardingObject; onDismiss: () => void }) {
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

function Steps({ onboarding }: { onboarding: OnboardingObject }) {
  const { action_slug: slug, has_key: hasKey, first_run_id: runId } = onboarding;
  const canEdit = useHasRole("editor");
  const isReady = slug !== null && hasKey;
  return (
    <>
      <Step isDone={slug !== null} title="Publish an action">
        {slug === null ? (
          <p>
            {canEdit
              ? "Start with a template, or create your own workflow and press Activate."
              : "An editor publishes it."}
          </p>
        ) : (
          <p>
            <code className="font-mono text-dense">{slug}</code> is ready to call.
          </p>
        )}
        {canEdit ? (
          <Suspense fallback={slug === null ? <Skeleton className="mt-2 h-24 w-full" /> : null}>
            <TemplateStarts isDone={slug !== null} />
          </Suspense>
        ) : null}
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
