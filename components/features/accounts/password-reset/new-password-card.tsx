"use client";

import { useState } from "react";
import { resetPasswordInput } from "#lib/contract/account/person-inputs";
import { checkBySchema } from "@/components/api/form-faults";
import { postJson } from "@/components/api/post-json";
import { useCheckedForm } from "@/components/api/use-checked-form";
import { AuthCard } from "@/components/features/accounts/auth-card";
import { PasswordInput } from "@/components/features/accounts/password-input";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";
import { Link } from "@/components/ui/link";

/** Sets a new password with the link of an email. */
export function NewPasswordCard({ token }: { token: string }) {
  const [isDone, setIsDone] = useState(false);
  if (isDone) {
    return (
      <AuthCard title="Your password is changed">
        <p role="status" className="mt-2 text-text-2">
          You're signed out everywhere. Sign in with the new password.
        </p>
        <Button asChild variant="primary" className="mt-5 w-full">
          <Link href="/sign-in">Sign in</Link>
        </Button>
      </AuthCard>
    );
  }
  return (
    <AuthCard title="Choose a new password">
      <p className="mt-1 text-text-2">Changing it signs you out everywhere.</p>
      <NewPasswordForm token={token} onDone={() => setIsDone(true)} />
    </AuthCard>
  );
}

function NewPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const form = useCheckedForm({
    start: { new_password: "" },
    check: (values) =>
      checkBySchema(
        resetPasswordInput,
        { ...values, token },
        { values, missing: { new_password: "Choose a password." } },
      ),
    send: async (values) => {
      await postJson("/api/password-reset/redeem", { ...values, token });
      onDone();
    },
  });
  return (
    <form {...form.props} className="mt-5 flex flex-col gap-4">
      <Field
        label="New password"
        description="At least 10 characters. A phrase works best."
        error={form.problem("new_password")}
        isRequired
      >
        {(control) => (
          <PasswordInput {...control} {...form.register("new_password")} autoFocus autoComplete="new-password" />
        )}
      </Field>
      <FormError>{form.general}</FormError>
      <Button type="submit" variant="primary" isBusy={form.isBusy} className="mt-1 w-full">
        Change password
      </Button>
    </form>
  );
}
