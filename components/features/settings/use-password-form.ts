"use client";

import { changePasswordInput } from "#lib/contract/inputs/person-inputs";
import { useOperationForm } from "@/components/api/use-operation-form";
import { signInWithPassword } from "@/components/features/accounts/sign-in";
import { toast } from "@/components/ui/toast";

const EMPTY = { current_password: "", new_password: "" };

/** Changes the password. That also ends this session, so the form signs in again with the new one. */
export function usePasswordForm(email: string, hasPassword: boolean) {
  const form = useOperationForm("change_password", {
    schema: changePasswordInput,
    start: EMPTY,
    toInput: (values) => (hasPassword ? values : { new_password: values.new_password }),
    missing: { new_password: "Choose a password." },
    check: ({ current_password: current }): { current_password?: string } =>
      hasPassword && current === "" ? { current_password: "Enter your password." } : {},
    invalidates: ["get_sign_in_methods", "list_sessions"],
    onSuccess: async (_, { new_password: password }) => {
      if ((await signInWithPassword(email, password)) !== null) return window.location.assign("/sign-in");
      form.reset(EMPTY);
      toast(hasPassword ? "Password changed. You're signed out everywhere else." : "Password set.");
    },
  });
  return form;
}
