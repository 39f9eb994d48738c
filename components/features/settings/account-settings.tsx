"use client";

import { type FormEvent, useState } from "react";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { PasswordForm } from "@/components/features/settings/password-form";
import { SessionList } from "@/components/features/settings/session-list";
import { SettingsFrame } from "@/components/features/settings/settings-frame";
import { SignInServices } from "@/components/features/settings/sign-in-services";
import { useSession } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { QueryView } from "@/components/ui/lists/query-view";
import { Section } from "@/components/ui/lists/section";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { LazyAlertDialog } from "@/components/ui/overlays/lazy-alert-dialog";
import { toast } from "@/components/ui/toast";

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
  return (
    <SettingsFrame>
      <div className="flex w-full max-w-[640px] flex-col gap-10 px-4 py-6">
        <Section title="Profile">
          <ProfileForm />
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
            {({ has_password: hasPassword }) => <PasswordForm key={String(hasPassword)} hasPassword={hasPassword} />}
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

function ProfileForm() {
  const { user } = useSession();
  const [name, setName] = useState(user.name);
  const [missing, setMissing] = useState<string | null>(null);
  const update = useOperationMutation("update_account", {
    invalidates: ["get_session", "list_members"],
    onSuccess: () => toast("Name saved."),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    setMissing(name.trim() === "" ? "Enter your name." : null);
    if (name.trim() !== "") update.mutate({ name });
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label="Your name"
        description="What others see, and what approvals and the audit log say of you."
        error={missing ?? update.error?.message}
        isRequired
      >
        {(control) => (
          <Input
            {...control}
            maxLength={100}
            autoComplete="name"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="E-mail" description="You sign in with it. It cannot be changed.">
        {(control) => <Input {...control} type="email" readOnly value={user.email} />}
      </Field>
      <div>
        <Button type="submit" disabled={name.trim() === user.name} isBusy={update.isPending}>
          Save name
        </Button>
      </div>
    </form>
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
