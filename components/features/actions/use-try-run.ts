"use client";

import { type FormEvent, useRef, useState } from "react";
import type { ActionDetailObject } from "#lib/contract/action";
import type { JsonObject } from "#lib/contract/json-schema";
import { ClientError } from "@/components/api/client-error";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { orderedProperties } from "@/components/features/actions/ordered-properties";
import {
  type FormErrors,
  readFormValues,
  toFormErrors,
  toFormValues,
} from "@/components/features/actions/try-form-values";

export type TryRun = ReturnType<typeof useTryRun>;

/** The form that runs an action once: its fields, their errors, and the run that came of it. Begins as a dry run. */
export function useTryRun(action: ActionDetailObject, initial: JsonObject) {
  const schema = action.inputSchema;
  const [values, setValues] = useState(() => toFormValues(schema, initial));
  const [isDryRun, setIsDryRun] = useState(true);
  const [errors, setErrors] = useState<FormErrors>({});
  const form = useRef<HTMLFormElement>(null);
  const run = useOperationMutation("run_action", { invalidates: ["list_runs", "list_workflows"] });
  const properties = orderedProperties(schema.properties, schema.required);
  const read = readFormValues(schema, values);

  /** Shows errors at their fields and leads to the first. */
  function show(found: FormErrors) {
    setErrors(found);
    const [first] = properties.find(([name]) => found[name] !== undefined) ?? [];
    if (first !== undefined) form.current?.querySelector<HTMLElement>(`[name=${CSS.escape(first)}]`)?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    show(read.errors);
    if (Object.keys(read.errors).length > 0) return;
    const onError = (error: Error) =>
      error instanceof ClientError ? show(toFormErrors(schema, error.fieldErrors)) : undefined;
    run.mutate({ slug: action.slug, input: read.input, dry_run: isDryRun }, { onError });
  }

  return {
    form,
    submit,
    properties,
    values,
    setValue: (name: string, value: string) => setValues({ ...values, [name]: value }),
    errors,
    input: read.input,
    isDryRun,
    setIsDryRun,
    isBusy: run.isPending,
    run: run.data,
    error: run.error,
  };
}
