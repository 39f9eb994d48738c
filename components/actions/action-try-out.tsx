"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import type { ActionDetailObject } from "#lib/contract/action";
import type { JsonObject } from "#lib/contract/json-schema";
import { exampleInput } from "@/components/actions/example-input";
import { orderedProperties } from "@/components/actions/ordered-properties";
import { SchemaField } from "@/components/actions/schema-field";
import { curlRun } from "@/components/actions/snippets";
import { type FormErrors, readFormValues, toFormErrors, toFormValues } from "@/components/actions/try-form-values";
import { TryResult } from "@/components/actions/try-result";
import { ClientError } from "@/components/api/client-error";
import { invalidateOperations, useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { useHasRole, useSession } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { LoadingLabel, Skeleton } from "@/components/ui/skeleton";
import { Switch } from "@/components/ui/switch";
import { optionalTextCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const CODECS = { from: optionalTextCodec };

/** The form begins with an example, or, with `from=<run id>` in the URL, with what that run was called with. */
export function ActionTryOut({ action }: { action: ActionDetailObject }) {
  const [{ from }] = useUrlState(CODECS);
  const former = useOperation("get_run_status", { run_id: from ?? "" }, { enabled: from !== null });
  if (from !== null && former.isPending) {
    return (
      <div className="flex max-w-xl flex-col gap-4">
        <LoadingLabel>Loading the former input</LoadingLabel>
        <Skeleton className="h-14 w-full" />
        <Skeleton className="h-14 w-full" />
      </div>
    );
  }
  const isRepeat = former.data !== undefined && former.data.action_slug === action.slug;
  return (
    <TryForm
      key={isRepeat ? from : "example"}
      action={action}
      initial={isRepeat ? former.data.input : exampleInput(action)}
      isRepeat={isRepeat}
    />
  );
}

interface TryFormProps {
  action: ActionDetailObject;
  initial: JsonObject;
  isRepeat: boolean;
}

function TryForm({ action, initial, isRepeat }: TryFormProps) {
  const schema = action.inputSchema;
  const [values, setValues] = useState(() => toFormValues(schema, initial));
  const [isDryRun, setIsDryRun] = useState(true);
  const [errors, setErrors] = useState<FormErrors>({});
  const { base_url: baseUrl } = useSession();
  const canRun = useHasRole("editor");
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const run = useOperationMutation("run_action", {
    onSuccess: () => void invalidateOperations(queryClient, ["list_runs", "list_workflows"]),
  });
  const read = readFormValues(schema, values);
  const properties = orderedProperties(schema.properties, schema.required);

  function show(found: FormErrors) {
    setErrors(found);
    const [first] = properties.find(([name]) => found[name] !== undefined) ?? [];
    if (first !== undefined) (form.current?.elements.namedItem(first) as HTMLElement | null)?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    show(read.errors);
    if (Object.keys(read.errors).length > 0) return;
    run.mutate(
      { slug: action.slug, input: read.input, dry_run: isDryRun },
      {
        onError: (error) => {
          if (error instanceof ClientError) show(toFormErrors(schema, error.fieldErrors));
        },
      },
    );
  }

  return (
    <div className="grid max-w-5xl grid-cols-1 gap-8 lg:grid-cols-2">
      <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
        {isRepeat ? (
          <p className="text-text-2">
            The fields hold the input of the former run, with personal data and secrets replaced. Put real values back
            before you run it.
          </p>
        ) : null}
        {properties.length === 0 ? <p className="text-text-2">This action takes no input.</p> : null}
        {properties.map(([name, property]) => (
          <SchemaField
            key={name}
            name={name}
            property={property}
            isRequired={schema.required.includes(name)}
            value={values[name] ?? ""}
            error={errors[name]}
            onChange={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
        <div className="border-t border-border pt-4">
          <Switch
            label="Dry run"
            description={
              isDryRun
                ? "Checks the input and records the call. No step runs, nothing is sent anywhere."
                : "Off: every step runs for real, and the run counts against the limits."
            }
            isOn={isDryRun}
            onChange={setIsDryRun}
          />
        </div>
        <div className="flex items-center gap-3">
          <Button type="submit" variant="primary" isBusy={run.isPending} disabled={!canRun}>
            {run.isPending ? null : <Play aria-hidden className="size-3.5" />}
            {isDryRun ? "Dry run" : "Run"}
          </Button>
          {canRun ? null : <span className="text-text-3">Running needs the editor role.</span>}
        </div>
      </form>
      <div className="flex min-w-0 flex-col gap-4">
        <TryResult run={run.data} error={run.error} />
        <CodeBlock
          label="The same call with curl"
          snippets={[
            {
              label: "The same call with curl",
              code: curlRun({ baseUrl, slug: action.slug, input: read.input, isDryRun }),
            },
          ]}
        />
      </div>
    </div>
  );
}
