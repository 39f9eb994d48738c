"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { SessionList } from "@/components/features/settings/session-list";
import { SettingsFrame } from "@/components/features/settings/settings-frame";
import { SignInServices } from "@/components/features/settings/sign-in-services";
import { Button } from "@/components/ui/button";
import { QueryView } from "@/components/ui/lists/query-view";
import { Section } from "@/components/ui/lists/section";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { LazyAlertDialog } from "@/components/ui/overlays/lazy-alert-dialog";

/** The forms and what checks them come after the page. */
const loadProfile = () => import("@/components/features/settings/profile-form");
const loadPassword = () => import("@/components/features/settings/password-form");
const ProfileForm = lazy(() => loadProfile().then((m) => ({ default: m.ProfileForm })));
const PasswordForm = lazy(() => loadPassword().then((m) => ({ default: m.PasswordForm })));

/** By whether there is one. */
const PASSWORD_WORDS = {
  true: "Changing it signs you out everywhere else: on other devices, and wherever somebody knew it.",
  false:
    "You have none: you sign in by another service. With one you can sign in without it. It is set within ten minutes of signing in.",
} as const;

/** One's own account, the same in every workspace. */
export function AccountSettings() {
  const methods = useOperation("get_sign_in_methods", {});
  const { providers = [], identities = [] } = methods.data ?? {};
  useEffect(() => void loadPassword().catch(() => undefined), []);
  return (
    <SettingsFrame>
      <div className="flex w-full max-w-[640px] flex-col gap-10 px-4 py-6">
        <Section title="Profile">
          <Suspense fallback={<Skeleton className="h-48 w-full" />}>
            <ProfileForm />
          </Suspense>
        </Section>
        <Section
          title="Password"
          description={
            methods.isPending ? (
              <Skeleton className="h-5" />
            ) : (
              methods.data && PASSWORD_WORDS[`${methods.data.has_password}`]
            )
          }
        >
          <QueryView
            query={methods}
            skeleton={<Skeleton className="h-56 w-full" />}
            errorTitle="How you sign in could not be loaded."
          >
            {({ has_password: hasPassword }) => (
              <Suspense fallback={<Skeleton className="h-56 w-full" />}>
                <PasswordForm key={String(hasPassword)} hasPassword={hasPassword} />
              </Suspense>
            )}
          </QueryView>
        </Section>
        {providers.length + identities.length === 0 ? null : (
          <Section title="Sign-in services" description="Accounts elsewhere that sign you in here.">
            <SignInServices providers={providers} identities={identities} />
          </Section>
        )}
        <Section
          title="Sessions"
          description="A session lasts seven days. End one that you do not know, and change your password then."
        >
          <SessionList />
          <SignOutEverywhere />
        </Section>
      </div>
    </SettingsFrame>
  );
}

function SignOutEverywhere() {
  const [isAsking, setIsAsking] = useState(false);
  const signOut = useOperationMutation("sign_out_everywhere", {
    onSuccess: () => window.location.assign("/sign-in"),
  });
  return (
    <div>
      <Button variant="danger" onClick={() => setIsAsking(true)}>
        Sign out everywhere…
      </Button>
      <LazyAlertDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Sign out everywhere?"
        confirmLabel="Sign out everywhere"
        isDestructive
        isBusy={signOut.isPending || signOut.isSuccess}
        error={signOut.error?.message ?? null}
        onConfirm={() => signOut.mutate({})}
      >
        <p>Every session of yours ends with its next request, this one too. API keys go on working.</p>
      </LazyAlertDialog>
    </div>
  );
}
