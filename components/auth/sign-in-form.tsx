"use client";

import Link from "next/link";
import { AuthCard } from "@/components/auth/auth-card";
import { PasswordInput } from "@/components/auth/password-input";
import { useSignIn } from "@/components/auth/use-sign-in";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

interface SignInFormProps {
  /** A path of this site. */
  returnTo: string;
  canSignUp: boolean;
  /** next-auth's error code, when it sent the person here. */
  initialError: string | null;
}

export function SignInForm({ returnTo, canSignUp, initialError }: SignInFormProps) {
  const signIn = useSignIn(returnTo, initialError);
  return (
    <AuthCard title="Sign in" footer={canSignUp ? <WayToSignUp /> : undefined}>
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
          Sign in
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
