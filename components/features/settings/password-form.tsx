"use client";

import { changePasswordInput } from "#lib/contract/account/person-inputs";
import { useOperationForm } from "@/components/api/use-operation-form";
import { PasswordInput } from "@/components/features/accounts/password-input";
import { type SignInResult, signInWithPassword } from "@/components/features/accounts/sign-in";
import { useConfirmation } from "@/components/features/two-step/use-confirmation";
import { useSession } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";
import { toast } from "@/components/ui/toast";

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

const EMPTY = { current_password: "", new_password: "" };

/** Changes the password. That also ends this session, so the form signs in again with the new one. */
function usePasswordForm(email: string, hasPassword: boolean) {
  const confirmation = useConfirmation();
  const form = useOperationForm("change_password", {
    schema: changePasswordInput,
    start: EMPTY,
    toInput: (values) => (hasPassword ? values : { new_password: values.new_password }),
    missing: { new_password: "Choose a password." },
    check: ({ current_password: current }): { current_password?: string } =>
      hasPassword && current === "" ? { current_password: "Enter your password." } : {},
    invalidates: ["get_sign_in_methods", "list_sessions", "list_account_activity"],
    onFailure: (error) => confirmation.onError(error, () => void form.submit()),
    onSuccess: async (_, { new_password: password }) => {
      const result = await signInWithPassword(email, password);
      if (result.status !== "signed_in") return window.location.assign(pathOfNextStep(result));
      form.reset(EMPTY);
      toast(hasPassword ? "Password changed. You're signed out everywhere else." : "Password set.");
    },
  });
  return { form, confirmation: confirmation.dialog };
}

/** The second step of the sign-in, or the sign-in itself if it failed. */
function pathOfNextStep(result: SignInResult): string {
  if (result.status !== "second_factor") return "/sign-in";
  return `/sign-in?${new URLSearchParams({ ticket: result.ticket, callbackUrl: "/settings/account" })}`;
}
