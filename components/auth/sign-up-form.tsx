"use client";

import Link from "next/link";
import { type FormEvent, useRef, useState } from "react";
import { ClientError } from "@/components/api/client-error";
import { postJson } from "@/components/api/post-json";
import { AuthCard } from "@/components/auth/auth-card";
import { PasswordInput } from "@/components/auth/password-input";
import { signInWithPassword } from "@/components/auth/sign-in";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

interface SignUpFormProps {
  mode: "owner" | "open" | "invite";
  invite: string | null;
  /** Of the invite; cannot be changed. */
  email: string | null;
  workspaceName: string | null;
}

const FIELDS = ["name", "workspace_name", "email", "password"] as const;
type FieldName = (typeof FIELDS)[number];
type Errors = Partial<Record<FieldName, string>>;

const REQUIRED: Errors = {
  name: "Enter your name.",
  workspace_name: "Name the workspace.",
  email: "Enter your e-mail address.",
  password: "Choose a password.",
};

export function SignUpForm({ mode, invite, email, workspaceName }: SignUpFormProps) {
  const [values, setValues] = useState({ name: "", workspace_name: "", email: email ?? "", password: "" });
  const [errors, setErrors] = useState<Errors>({});
  const [formError, setFormError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const shown = FIELDS.filter((field) => field !== "workspace_name" || mode !== "invite");

  function change(field: FieldName) {
    return (event: { target: { value: string } }) => setValues({ ...values, [field]: event.target.value });
  }

  function show(found: Errors, general: string | null) {
    setErrors(found);
    setFormError(general);
    const first = shown.find((field) => found[field] !== undefined);
    if (first !== undefined) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const missing: Errors = {};
    for (const field of shown) if (values[field].trim() === "") missing[field] = REQUIRED[field] ?? "";
    show(missing, null);
    if (Object.keys(missing).length > 0) return;
    setIsBusy(true);
    try {
      const { workspace_name, ...account } = values;
      await postJson("/api/sign-up", {
        ...account,
        ...(mode === "invite" ? {} : { workspace_name }),
        ...(invite === null ? {} : { invite }),
      });
      await signInWithPassword(values.email, values.password);
      window.location.assign("/workflows");
    } catch (error) {
      setIsBusy(false);
      show(errorsOf(error), generalOf(error));
    }
  }

  return (
    <AuthCard
      title={mode === "owner" ? "Create the owner account" : "Create an account"}
      footer={
        mode === "owner" ? undefined : (
          <>
            Already have one?{" "}
            <Link href="/sign-in" className="link">
              Sign in
            </Link>
          </>
        )
      }
    >
      <p className="mt-1 text-text-2">{introOf(mode, workspaceName)}</p>
      <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="mt-5 flex flex-col gap-4">
        <Field label="Your name" error={errors.name} isRequired>
          {(control) => (
            <Input {...control} name="name" autoComplete="name" value={values.name} onChange={change("name")} />
          )}
        </Field>
        {mode === "invite" ? null : (
          <Field label="Workspace" description="Your team or company." error={errors.workspace_name} isRequired>
            {(control) => (
              <Input
                {...control}
                name="workspace_name"
                autoComplete="organization"
                value={values.workspace_name}
                onChange={change("workspace_name")}
              />
            )}
          </Field>
        )}
        <Field label="E-mail" error={errors.email} isRequired>
          {(control) => (
            <Input
              {...control}
              name="email"
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              readOnly={email !== null}
              value={values.email}
              onChange={change("email")}
            />
          )}
        </Field>
        <Field
          label="Password"
          description="At least 10 characters; a phrase is best."
          error={errors.password}
          isRequired
        >
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="new-password"
              value={values.password}
              onChange={change("password")}
            />
          )}
        </Field>
        {formError === null ? null : (
          <p role="alert" className="rounded-2 bg-err-bg px-3 py-2 text-err">
            {formError}
          </p>
        )}
        <Button type="submit" variant="primary" isBusy={isBusy} className="mt-1 w-full">
          Create account
        </Button>
      </form>
    </AuthCard>
  );
}

function introOf(mode: SignUpFormProps["mode"], workspaceName: string | null): string {
  if (mode === "owner") return "Nobody has an account here yet. The first one owns this instance.";
  if (mode === "invite") return `You were invited to ${workspaceName ?? "a workspace"}.`;
  return "You get a workspace of your own.";
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
