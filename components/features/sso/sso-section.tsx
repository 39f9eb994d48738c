"use client";

import type { SsoState } from "#lib/contract/account/sso";
import { useOperation } from "@/components/api/operation-hooks";
import { RequiredSso } from "@/components/features/sso/required-sso";
import { SsoForm } from "@/components/features/sso/sso-form";
import { QueryView } from "@/components/ui/lists/query-view";
import { Section } from "@/components/ui/lists/section";
import { Skeleton } from "@/components/ui/lists/skeleton";

/** Lets admins decide which people of a provider are members; renders nothing if no provider is set up. */
export function SsoSection() {
  const query = useOperation("get_sso", {});
  if (query.data && query.data.providers.length === 0 && query.data.rule === null) return null;
  return (
    <Section title="Single sign-on">
      <QueryView query={query} skeleton={<Skeleton className="h-24" />} errorTitle="Couldn't load single sign-on.">
        {(state: SsoState) => (
          <div className="flex flex-col gap-6">
            <SsoForm key={JSON.stringify(state.rule)} state={state} />
            {state.rule === null ? null : <RequiredSso rule={state.rule} />}
          </div>
        )}
      </QueryView>
    </Section>
  );
}
