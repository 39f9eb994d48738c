"use client";

import type { ReactNode } from "react";
import type { SignInOption } from "#lib/contract/account/account";
import { signUpInput } from "#lib/contract/account/person-inputs";
import { checkBySchema } from "@/components/api/form-faults";
import { postJson } from "@/components/api/post-json";
import { ownTimeZone } from "@/components/api/shown-workspace";
import { useCheckedForm } from "@/components/api/use-checked-form";
import { AuthCard } from "@/components/features/accounts/auth-card";
import { OtherMethods } from "@/components/features/accounts/other-methods";
import { PasswordInput } from "@/components/features/accounts/password-input";
import { ProviderButtons } from "@/components/features/accounts/provider-buttons";
import { signInWithPassword } from "@/components/features/accounts/sign-in";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";
import { Input } from "@/components/ui/forms/input";
import { Link } from "@/components/ui/link";

interface SignUpFormProps {
  mode: "owner" | "open" | "invite";
  invite: string | null;
  /** The invite's address; cannot be changed. */
  email: string | null;
  workspaceName: string | null;
  services: readonly SignInOption[];
}

export function SignUpForm({ mode, invite, email, workspaceName, services }: SignUpFormProps) {
  const { form, isJoining } = useSignUp({ invite, email });
  return (
    <SignUpCard mode={mode} workspaceName={workspaceName}>
      <form {...form.props} className="mt-5 flex flex-col gap-4">
        <Field label="Your name" error={form.problem("name")} isRequired>
          {(control) => <Input {...control} {...form.register("name")} autoComplete="name" />}
        </Field>
        {isJoining ? null : (
          <Field
            label="Workspace"
            description="Your team or company."
            error={form.problem("workspace_name")}
            isRequired
          >
            {(control) => <Input {...control} {...form.register("workspace_name")} autoComplete="organization" />}
          </Field>
        )}
        <Field label="Email" error={form.problem("email")} isRequired>
          {(control) => <EmailInput {...control} {...form.register("email")} readOnly={email !== null} />}
        </Field>
        <Field
          label="Password"
          description="At least 10 characters. A phrase works best."
          error={form.problem("password")}
          isRequired
        >
          {(control) => <PasswordInput {...control} {...form.register("password")} autoComplete="new-password" />}
        </Field>
        <FormError>{form.general}</FormError>
        <Button type="submit" variant="primary" isBusy={form.isBusy || form.isDone} className="mt-1 w-full">
          Create account
        </Button>
      </form>
      <OtherMethods hasAny={services.length > 0}>
        <ProviderButtons services={services} returnTo="/workflows" />
      </OtherMethods>
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
      Already have an account?{" "}
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
  if (mode === "owner") return "No one has an account here yet. The first account owns this instance.";
  if (mode === "invite") return `You're invited to ${workspaceName ?? "a workspace"}.`;
  return "You get your own workspace.";
}

const MISSING = {
  name: "Enter your name.",
  workspace_name: "Enter a name for the workspace.",
  email: "Enter your email address.",
  password: "Choose a password.",
};

/** The sign-up form. An invite fixes the address and joins a workspace instead of creating one. */
function useSignUp({ invite, email }: { invite: string | null; email: string | null }) {
  const isJoining = email !== null;
  const start = { name: "", workspace_name: "", email: email ?? "", password: "" };
  const toInput = ({ workspace_name: workspaceName, ...account }: typeof start) => ({
    ...account,
    ...(isJoining ? {} : { workspace_name: workspaceName }),
    ...(invite === null ? { time_zone: ownTimeZone() } : { invite }),
  });
  const form = useCheckedForm({
    start,
    check: (values) => checkBySchema(signUpInput, toInput(values), { values, missing: MISSING }),
    about: { EMAIL_TAKEN: "email" },
    send: async (values) => {
      await postJson("/api/sign-up", toInput(values));
      await signInWithPassword(values.email, values.password);
      window.location.assign("/workflows");
    },
  });
  return { form, isJoining };
}
