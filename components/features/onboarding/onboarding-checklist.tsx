"use client";

import { useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { invalidateOperations, useOperation } from "@/components/api/operation-hooks";
import { useCoalesced } from "@/components/api/use-coalesced";
import { useRunChanges } from "@/components/api/use-run-changes";
import { useFirstSteps } from "@/components/features/onboarding/use-first-steps";
import { useSession } from "@/components/shell/session-context";
import { useEarly } from "@/components/ui/use-early";

const loadSteps = () => import("@/components/features/onboarding/first-steps");
const FirstSteps = lazy(() => loadSteps().then((m) => ({ default: m.FirstSteps })));
const EARLY = [loadSteps];

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
  useEarly(EARLY);
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
    <Suspense fallback={skeleton}>
      {isShown && data !== undefined ? <FirstSteps onboarding={data} onDismiss={() => want("dismissed")} /> : null}
      {children}
    </Suspense>
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
