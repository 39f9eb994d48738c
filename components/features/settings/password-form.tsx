"use client";

import { PasswordInput } from "@/components/features/accounts/password-input";
import { type PasswordField, usePasswordForm } from "@/components/features/settings/use-password-form";
import { useSession } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { type ControlProps, Field } from "@/components/ui/forms/field";

/** @param props.hasPassword whether there is one to be asked for first */
export function PasswordForm({ hasPassword }: { hasPassword: boolean }) {
  const { user } = useSession();
  const form = usePasswordForm(user.email, hasPassword);
  const bind = (name: PasswordField, control: ControlProps) => ({
    ...control,
    name,
    value: form.values[name],
    onChange: (event: { target: { value: string } }) => form.setValue(name, event.target.value),
  });
  return (
    <form ref={form.form} noValidate onSubmit={(event) => void form.submit(event)} className="flex flex-col gap-5">
      {/* For password managers, which store the new password with it. */}
      <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
      {hasPassword ? (
        <Field label="Current password" error={form.errors.current_password} isRequired>
          {(control) => <PasswordInput {...bind("current_password", control)} autoComplete="current-password" />}
        </Field>
      ) : null}
      <Field
        label="New password"
        description="At least 10 characters; a phrase is best."
        error={form.errors.new_password}
        isRequired
      >
        {(control) => <PasswordInput {...bind("new_password", control)} autoComplete="new-password" />}
      </Field>
      {form.formError === null ? null : (
        <p role="alert" className="rounded-2 bg-err-bg px-3 py-2 text-err">
          {form.formError}
        </p>
      )}
      <div>
        <Button type="submit" isBusy={form.isBusy}>
          {hasPassword ? "Change password" : "Set password"}
        </Button>
      </div>
    </form>
  );
}
