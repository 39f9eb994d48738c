"use client";

import Link from "next/link";
import { AuthCard } from "@/components/auth/auth-card";
import { PasswordInput } from "@/components/auth/password-input";
import { type SignInInvite, useSignIn } from "@/components/auth/use-sign-in";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

interface SignInFormProps {
  /** A path of this site. */
  returnTo: string;
  canSignUp: boolean;
  /** next-auth's error code, when it sent the person here. */
  initialError: string | null;
  invite?: SignInInvite;
}

export function SignInForm({ returnTo, canSignUp, initialError, invite }: SignInFormProps) {
  const signIn = useSignIn(returnTo, initialError, invite ?? null);
  return (
    <AuthCard
      title={invite === undefined ? "Sign in" : `Join ${invite.workspaceName}`}
      footer={canSignUp ? <WayToSignUp /> : undefined}
    >
      {invite === undefined ? null : <p className="mt-1 text-text-2">Sign in to accept the invite.</p>}
      <form
        ref={signIn.form}
        noValidate
        onSubmit={(event) => void signIn.submit(event)}
        className="mt-5 flex flex-col gap-4"
      >
        <Field label="E-mail" error={signIn.missing.email} isRequired>
          {(control) => (
            <Input
              {...control}
              name="email"
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              readOnly={invite !== undefined}
              value={signIn.email}
              onChange={(event) => signIn.setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field label="Password" error={signIn.missing.password ?? signIn.error} isRequired>
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="current-password"
              value={signIn.password}
              onChange={(event) => signIn.setPassword(event.target.value)}
            />
          )}
        </Field>
        <span role="alert" className="sr-only">
          {signIn.error}
        </span>
        <Button type="submit" variant="primary" isBusy={signIn.isBusy} className="mt-1 w-full">
          {invite === undefined ? "Sign in" : "Sign in and join"}
        </Button>
      </form>
    </AuthCard>
  );
}

function WayToSignUp() {
  return (
    <>
      No account yet?{" "}
      <Link href="/signup" className="link">
        Create one
      </Link>
    </>
  );
}
