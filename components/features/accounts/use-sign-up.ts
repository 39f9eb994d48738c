"use client";

import { type FormEvent, useRef, useState } from "react";
import { ClientError } from "@/components/api/client-error";
import { postJson } from "@/components/api/post-json";
import { ownTimeZone } from "@/components/api/shown-workspace";
import { signInWithPassword } from "@/components/features/accounts/sign-in";

const FIELDS = ["name", "workspace_name", "email", "password"] as const;
export type SignUpField = (typeof FIELDS)[number];
type Errors = Partial<Record<SignUpField, string>>;

const REQUIRED: Record<SignUpField, string> = {
  name: "Enter your name.",
  workspace_name: "Name the workspace.",
  email: "Enter your e-mail address.",
  password: "Choose a password.",
};

/** The sign-up form's state. An invite brings its address along and joins a workspace instead of making one. */
export function useSignUp({ invite, email }: { invite: string | null; email: string | null }) {
  const isJoining = email !== null;
  const [values, setValues] = useState({ name: "", workspace_name: "", email: email ?? "", password: "" });
  const [errors, setErrors] = useState<Errors>({});
  const [formError, setFormError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const fields = FIELDS.filter((field) => field !== "workspace_name" || !isJoining);

  function show(found: Errors, general: string | null) {
    setErrors(found);
    setFormError(general);
    const first = fields.find((field) => found[field] !== undefined);
    if (first !== undefined) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const missing = Object.fromEntries(
      fields.filter((field) => values[field].trim() === "").map((field) => [field, REQUIRED[field]]),
    );
    show(missing, null);
    if (Object.keys(missing).length > 0) return;
    setIsBusy(true);
    try {
      const account = Object.fromEntries(fields.map((field) => [field, values[field]]));
      const more = invite === null ? { time_zone: ownTimeZone() } : { invite };
      await postJson("/api/sign-up", { ...account, ...more });
      await signInWithPassword(values.email, values.password);
      window.location.assign("/workflows");
    } catch (error) {
      setIsBusy(false);
      show(errorsOf(error), generalOf(error));
    }
  }

  const setValue = (field: SignUpField, value: string) => setValues({ ...values, [field]: value });
  return { form, submit, values, setValue, errors, formError, isBusy, isJoining };
}

/** The server says "must have at least 10 characters"; under a field that reads as a sentence of its own. */
function errorsOf(error: unknown): Errors {
  if (!(error instanceof ClientError)) return {};
  if (error.code === "EMAIL_TAKEN") return { email: error.message };
  const found: Errors = {};
  for (const { field, message } of error.fieldErrors) {
    const name = FIELDS.find((candidate) => candidate === field);
    if (name !== undefined) found[name] = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
  }
  return found;
}

function generalOf(error: unknown): string | null {
  if (Object.keys(errorsOf(error)).length > 0) return null;
  return error instanceof ClientError ? error.message : "The account could not be created. Try again.";
}
