"use client";

import { lazy, Suspense } from "react";
import { useOperation } from "@/components/api/operation-hooks";
import { SettingsFrame } from "@/components/features/settings/settings-frame";
import { UsageSection } from "@/components/features/settings/usage-section";
import { TwoStepRule } from "@/components/features/two-step/two-step-rule";
import { useHasRole } from "@/components/shell/session-context";
import { QueryView } from "@/components/ui/lists/query-view";
import { Section } from "@/components/ui/lists/section";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";
import { useEarly } from "@/components/ui/use-early";

/** The form and its validation load together with the settings. */
const loadForm = () => import("@/components/features/settings/workspace-form");
const WorkspaceForm = lazy(() => loadForm().then((m) => ({ default: m.WorkspaceForm })));
const loadSso = () => import("@/components/features/sso/sso-section");
const SsoSection = lazy(() => loadSso().then((m) => ({ default: m.SsoSection })));
const EARLY = [loadForm, loadSso];

/** The workspace's name, its behavior, and the limits of its plan. */
export function WorkspaceSettingsPage() {
  const query = useOperation("get_workspace", {});
  const isAdmin = useHasRole("admin");
  useEarly(EARLY);
  return (
    <SettingsFrame>
      <div className="flex w-full max-w-[640px] flex-col gap-10 px-4 py-6">
        <Section title="Workspace">
          <QueryView query={query} skeleton={<FormSkeleton />} errorTitle="Couldn't load the settings.">
            {(settings) => (
              <Suspense fallback={<FormSkeleton />}>
                <WorkspaceForm key={JSON.stringify(settings)} settings={settings} />
              </Suspense>
            )}
          </QueryView>
        </Section>
        {query.isError ? null : (
          <Section title="Security">
            {query.data ? <TwoStepRule settings={query.data} /> : <Skeleton className="h-14" />}
          </Section>
        )}
        {isAdmin ? (
          <Suspense>
            <SsoSection />
          </Suspense>
        ) : null}
        <UsageSection />
      </div>
    </SettingsFrame>
  );
}

function FormSkeleton() {
  return (
    <div className="flex flex-col gap-5">
      <LoadingLabel>Loading settings</LoadingLabel>
      {["name", "slug", "zone", "retention", "approval", "redaction"].map((field) => (
        <div key={field} className="flex flex-col gap-2">
          <Skeleton className="h-3.5 w-24" />
          <Skeleton className="h-control w-full" />
        </div>
      ))}
    </div>
  );
}
