"use client";

import Link from "next/link";
import { type FormEvent, useRef, useState } from "react";
import { AuthCard } from "@/components/auth/auth-card";
import { PasswordInput } from "@/components/auth/password-input";
import { messageOfSignInError, signInWithPassword } from "@/components/auth/sign-in";
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
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [missing, setMissing] = useState<{ email?: string; password?: string }>({});
  const [error, setError] = useState(initialError === null ? null : messageOfSignInError(initialError));
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const found = {
      ...(email.trim() === "" ? { email: "Enter your e-mail address." } : {}),
      ...(password === "" ? { password: "Enter your password." } : {}),
    };
    setMissing(found);
    setError(null);
    const first = Object.keys(found)[0];
    if (first !== undefined) {
      form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
      return;
    }
    setIsBusy(true);
    const refusal = await signInWithPassword(email, password);
    if (refusal === null) {
      // A whole page load, so that nothing of a former session stays in memory.
      window.location.assign(returnTo);
      return;
    }
    setIsBusy(false);
    setError(refusal);
    form.current?.querySelector<HTMLInputElement>("[name=password]")?.focus();
  }

  return (
    <AuthCard
      title="Sign in"
      footer={
        canSignUp ? (
          <>
            No account yet?{" "}
            <Link href="/signup" className="link">
              Create one
            </Link>
          </>
        ) : undefined
      }
    >
      <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="mt-5 flex flex-col gap-4">
        <Field label="E-mail" error={missing.email} isRequired>
          {(control) => (
            <Input
              {...control}
              name="email"
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field label="Password" error={missing.password ?? error} isRequired>
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <span role="alert" className="sr-only">
          {error}
        </span>
        <Button type="submit" variant="primary" isBusy={isBusy} className="mt-1 w-full">
          Sign in
        </Button>
      </form>
    </AuthCard>
  );
}
