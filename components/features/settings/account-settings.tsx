"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { LIMITS } from "#lib/contract/limits";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { AccountActivity } from "@/components/features/settings/account-activity";
import { SessionList } from "@/components/features/settings/session-list";
import { SettingsFrame } from "@/components/features/settings/settings-frame";
import { SignInServices } from "@/components/features/settings/sign-in-services";
import { TwoStepSection } from "@/components/features/two-step/two-step-section";
import { Button } from "@/components/ui/button";
import { QueryView } from "@/components/ui/lists/query-view";
import { Section } from "@/components/ui/lists/section";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { LazyAlertDialog } from "@/components/ui/overlays/lazy-alert-dialog";

/** The forms and their validation load after the page. */
const loadProfile = () => import("@/components/features/settings/profile-form");
const loadPassword = () => import("@/components/features/settings/password-form");
const ProfileForm = lazy(() => loadProfile().then((m) => ({ default: m.ProfileForm })));
const PasswordForm = lazy(() => loadPassword().then((m) => ({ default: m.PasswordForm })));

/** The texts for an account with a password and for one without. */
const PASSWORD_WORDS = {
  true: "Changing your password signs you out on all other devices.",
  false:
    "You have no password because you sign in with another service. Set one to sign in without that service. You can do this within ten minutes of signing in.",
} as const;

/** The user's own account, the same in every workspace. */
export function AccountSettings() {
  const methods = useOperation("get_sign_in_methods", {});
  const { services = [], identities = [] } = methods.data ?? {};
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
            errorTitle="Couldn't load your sign-in methods."
          >
            {({ has_password: hasPassword }) => (
              <Suspense fallback={<Skeleton className="h-56 w-full" />}>
                <PasswordForm key={String(hasPassword)} hasPassword={hasPassword} />
              </Suspense>
            )}
          </QueryView>
        </Section>
        <TwoStepSection />
        {services.length + identities.length === 0 ? null : (
          <Section title="Sign-in services" description="Accounts of other services that you can sign in with.">
            <SignInServices services={services} identities={identities} />
          </Section>
        )}
        <Section
          title="Sessions"
          description={`A session lasts ${LIMITS.sessionDays} days. If you don't recognize a session, end it and change your password.`}
        >
          <SessionList />
          <SignOutEverywhere />
        </Section>
        <AccountActivity />
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
        <p>All your sessions, including this one, end at their next request. API keys keep working.</p>
      </LazyAlertDialog>
    </div>
  );
}
