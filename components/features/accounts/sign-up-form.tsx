"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import type { SignInProvider } from "#lib/contract/web/account";
import { AuthCard } from "@/components/features/accounts/auth-card";
import { PasswordInput } from "@/components/features/accounts/password-input";
import { ProviderButtons } from "@/components/features/accounts/provider-buttons";
import { type SignUpField, useSignUp } from "@/components/features/accounts/use-sign-up";
import { Button } from "@/components/ui/button";
import { type ControlProps, Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";

interface SignUpFormProps {
  mode: "owner" | "open" | "invite";
  invite: string | null;
  /** Of the invite; cannot be changed. */
  email: string | null;
  workspaceName: string | null;
  providers: readonly SignInProvider[];
}

export function SignUpForm({ mode, invite, email, workspaceName, providers }: SignUpFormProps) {
  const signUp = useSignUp({ invite, email });
  /** What every text field of the form shares. */
  const bind = (name: SignUpField, control: ControlProps) => ({
    ...control,
    name,
    value: signUp.values[name],
    onChange: (event: { target: { value: string } }) => signUp.setValue(name, event.target.value),
  });
  return (
    <SignUpCard mode={mode} workspaceName={workspaceName}>
      <form
        ref={signUp.form}
        noValidate
        onSubmit={(event) => void signUp.submit(event)}
        className="mt-5 flex flex-col gap-4"
      >
        <Field label="Your name" error={signUp.errors.name} isRequired>
          {(control) => <Input {...bind("name", control)} autoComplete="name" />}
        </Field>
        {signUp.isJoining ? null : (
          <Field label="Workspace" description="Your team or company." error={signUp.errors.workspace_name} isRequired>
            {(control) => <Input {...bind("workspace_name", control)} autoComplete="organization" />}
          </Field>
        )}
        <Field label="E-mail" error={signUp.errors.email} isRequired>
          {(control) => <EmailInput {...bind("email", control)} readOnly={email !== null} />}
        </Field>
        <Field
          label="Password"
          description="At least 10 characters; a phrase is best."
          error={signUp.errors.password}
          isRequired
        >
          {(control) => <PasswordInput {...bind("password", control)} autoComplete="new-password" />}
        </Field>
        {signUp.formError === null ? null : (
          <p role="alert" className="rounded-2 bg-err-bg px-3 py-2 text-err">
            {signUp.formError}
          </p>
        )}
        <Button type="submit" variant="primary" isBusy={signUp.isBusy} className="mt-1 w-full">
          Create account
        </Button>
      </form>
      <ProviderButtons providers={providers} returnTo="/workflows" />
    </SignUpCard>
  );
}

function EmailInput(props: React.ComponentProps<typeof Input>) {
  return <Input {...props} type="email" autoComplete="username" autoCapitalize="none" spellCheck={false} />;
}

interface SignUpCardProps extends Pick<SignUpFormProps, "mode" | "workspaceName"> {
  children: ReactNode;
}

function SignUpCard({ mode, workspaceName, children }: SignUpCardProps) {
  const wayToSignIn = (
    <>
      Already have one?{" "}
      <Link href="/sign-in" className="link">
        Sign in
      </Link>
    </>
  );
  return (
    <AuthCard
      title={mode === "owner" ? "Create the owner account" : "Create an account"}
      footer={mode === "owner" ? undefined : wayToSignIn}
    >
      <p className="mt-1 text-text-2">{introOf(mode, workspaceName)}</p>
      {children}
    </AuthCard>
  );
}

function introOf(mode: SignUpFormProps["mode"], workspaceName: string | null): string {
  if (mode === "owner") return "Nobody has an account here yet. The first one owns this instance.";
  if (mode === "invite") return `You were invited to ${workspaceName ?? "a workspace"}.`;
  return "You get a workspace of your own.";
}
