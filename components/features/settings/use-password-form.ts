"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { invalidateOperations } from "@/components/api/operation-hooks";
import { signInWithPassword } from "@/components/features/accounts/sign-in";
import { toast } from "@/components/ui/toast";

const FIELDS = ["current_password", "new_password"] as const;
export type PasswordField = (typeof FIELDS)[number];
type Errors = Partial<Record<PasswordField, string>>;

const EMPTY = { current_password: "", new_password: "" };

/** Changes the password. That ends this session as well, so the new one signs in at once. */
export function usePasswordForm(email: string, hasPassword: boolean) {
  const [values, setValues] = useState(EMPTY);
  const [errors, setErrors] = useState<Errors>({});
  const [formError, setFormError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);

  function show(found: Errors, general: string | null) {
    setErrors(found);
    setFormError(general);
    const first = FIELDS.find((field) => found[field] !== undefined);
    if (first !== undefined) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const missing: Errors = {
      ...(hasPassword && values.current_password === "" ? { current_password: "Enter your password." } : {}),
      ...(values.new_password === "" ? { new_password: "Choose a password." } : {}),
    };
    show(missing, null);
    if (Object.keys(missing).length > 0) return;
    setIsBusy(true);
    try {
      await callOperation("change_password", hasPassword ? values : { new_password: values.new_password });
      if ((await signInWithPassword(email, values.new_password)) !== null) return window.location.assign("/sign-in");
      setValues(EMPTY);
      await invalidateOperations(queryClient, ["get_sign_in_methods", "list_sessions"]);
      toast(hasPassword ? "Password changed. You are signed out everywhere else." : "Password set.");
    } catch (error) {
      show(errorsOf(error), generalOf(error));
    } finally {
      setIsBusy(false);
    }
  }

  const setValue = (field: PasswordField, value: string) => setValues({ ...values, [field]: value });
  return { form, submit, values, setValue, errors, formError, isBusy };
}

function errorsOf(error: unknown): Errors {
  const found: Errors = {};
  for (const { field, message } of error instanceof ClientError ? error.fieldErrors : []) {
    const name = FIELDS.find((candidate) => candidate === field);
    if (name !== undefined) found[name] = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
  }
  return found;
}

function generalOf(error: unknown): string | null {
  if (Object.keys(errorsOf(error)).length > 0) return null;
  return error instanceof ClientError ? error.message : "The password could not be changed. Try again.";
}
