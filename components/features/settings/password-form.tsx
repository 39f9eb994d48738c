"use client";

import { PasswordInput } from "@/components/features/accounts/password-input";
import { usePasswordForm } from "@/components/features/settings/use-password-form";
import { useSession } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";

/** @param props.hasPassword whether the form has to ask for the current password */
export function PasswordForm({ hasPassword }: { hasPassword: boolean }) {
  const { user } = useSession();
  const { form, confirmation } = usePasswordForm(user.email, hasPassword);
  return (
    <>
      <form {...form.props} className="flex flex-col gap-5">
        {/* For password managers, which store the new password with it. */}
        <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
        {hasPassword ? (
          <Field label="Current password" error={form.problem("current_password")} isRequired>
            {(control) => (
              <PasswordInput {...control} {...form.register("current_password")} autoComplete="current-password" />
            )}
          </Field>
        ) : null}
        <Field
          label="New password"
          description="At least 10 characters. A phrase works best."
          error={form.problem("new_password")}
          isRequired
        >
          {(control) => <PasswordInput {...control} {...form.register("new_password")} autoComplete="new-password" />}
        </Field>
        <FormError>{form.general}</FormError>
        <div>
          <Button type="submit" isBusy={form.isBusy}>
            {hasPassword ? "Change password" : "Set password"}
          </Button>
        </div>
      </form>
      {confirmation}
    </>
  );
}
