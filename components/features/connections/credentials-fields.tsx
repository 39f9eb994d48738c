"use client";

import type { ReactNode } from "react";
import type { ConnectionFieldObject, ConnectorKindObject } from "#lib/contract/connection/connection";
import type { CredentialsForm } from "@/components/features/connections/use-credentials-form";
import { useSession } from "@/components/shell/session-context";
import { type ControlProps, Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { Textarea } from "@/components/ui/forms/textarea";

interface CredentialsFieldsProps {
  kind: ConnectorKindObject;
  form: CredentialsForm;
  /** The previous value of each field: the hint of a secret. */
  hints?: Record<string, string>;
}

/** The fields of a connection, as its connector declares them. */
export function CredentialsFields({ kind, form, hints = {} }: CredentialsFieldsProps) {
  return (
    <>
      {kind.auths.length < 2 ? null : (
        <Field label="Authentication">
          {(control) => (
            <Select {...control} value={form.auth?.auth} onChange={(event) => form.setAuth(event.target.value)}>
              {kind.auths.map((auth) => (
                <option key={auth.auth} value={auth.auth}>
                  {auth.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {form.auth?.fields.map((field) => (
        <Field
          key={field.name}
          label={field.label}
          description={describe(field, form.textOf(field.name))}
          error={form.problemOf(field.name)}
          isRequired={field.required}
          hint={hintOf(field, hints[field.name])}
        >
          {(control) => (
            <FieldControl
              control={control}
              field={field}
              value={form.textOf(field.name)}
              onChange={(value) => form.change(field.name, value)}
            />
          )}
        </Field>
      ))}
      {form.auth?.signs_in ? <RedirectAddress /> : null}
      <FormProblems form={form} />
    </>
  );
}

/** What the user needs to register their own application at the service. */
function RedirectAddress() {
  const { base_url: baseUrl } = useSession();
  return (
    <p className="text-dense text-text-3">
      To use your own application, register it at the service with the redirect URL{" "}
      <code className="font-mono [overflow-wrap:anywhere]">{baseUrl}/api/oauth/callback</code>
    </p>
  );
}

/** The help of a field, with the documentation of the chosen option. */
function describe({ help, options }: ConnectionFieldObject, value: string): ReactNode {
  const chosen = options.find((option) => option.value === value);
  if (chosen?.docs === undefined) return help ?? undefined;
  return (
    <>
      {help}{" "}
      <a href={chosen.docs} target="_blank" rel="noreferrer" className="link">
        Documentation of {chosen.label}
      </a>
    </>
  );
}

function hintOf(field: ConnectionFieldObject, before: string | undefined): string | undefined {
  if (before !== undefined) return `now ${before}`;
  return field.required ? undefined : "optional";
}

interface FieldControlProps {
  control: ControlProps;
  field: ConnectionFieldObject;
  value: string;
  onChange: (value: string) => void;
}

function FieldControl({ control, field, value, onChange }: FieldControlProps) {
  const common = {
    ...control,
    value,
    placeholder: field.placeholder ?? undefined,
    autoComplete: "off",
    spellCheck: false,
  };
  switch (field.kind) {
    case "choice":
      return (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          {field.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      );
    case "lines":
      return <Textarea {...common} isMono rows={2} onChange={(event) => onChange(event.target.value)} />;
    case "secret":
      // A browser should not offer to remember another person's key, or fill in the user's own password.
      return (
        <Input
          {...common}
          type="password"
          isMono
          autoComplete="new-password"
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case "text":
      return <Input {...common} onChange={(event) => onChange(event.target.value)} />;
  }
}

/** Errors of the whole form: another failure, or the service's refusal. */
function FormProblems({ form }: { form: CredentialsForm }) {
  if (form.general === null) return null;
  return (
    <div role="alert" className="flex flex-col gap-0.5 rounded-2 bg-err-bg px-3 py-2 text-err">
      {form.refusal === null ? null : <p className="font-medium">The test failed, so nothing was saved.</p>}
      <p className="[overflow-wrap:anywhere]">{form.refusal ?? form.general}</p>
    </div>
  );
}
