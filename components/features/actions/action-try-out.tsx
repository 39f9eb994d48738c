"use client";

import { Play } from "lucide-react";
import type { ActionDetailObject } from "#lib/contract/action/action";
import { useOperation } from "@/components/api/operation-hooks";
import { exampleInput } from "@/components/features/actions/example-input";
import { SchemaField } from "@/components/features/actions/schema-field";
import { curlRun } from "@/components/features/actions/snippets";
import { TryResult } from "@/components/features/actions/try-result";
import { type TryRun, useTryRun } from "@/components/features/actions/use-try-run";
import { useHasRole, useSession } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Switch } from "@/components/ui/forms/switch";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";
import { optionalTextCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const CODECS = { from: optionalTextCodec };

/**
 * Tries an action. The form starts with an example, or, with `from=<run id>` in the URL, with the input of that run.
 */
export function ActionTryOut({ action }: { action: ActionDetailObject }) {
  const [{ from }] = useUrlState(CODECS);
  const former = useOperation("get_run_status", { run_id: from ?? "" }, { enabled: from !== null });
  if (from !== null && former.isPending) {
    return (
      <div className="flex max-w-xl flex-col gap-4">
        <LoadingLabel>Loading the previous input</LoadingLabel>
        <Skeleton className="h-14 w-full" />
        <Skeleton className="h-14 w-full" />
      </div>
    );
  }
  const input = former.data?.action_slug === action.slug ? former.data.input : null;
  return (
    <TryBench
      key={input === null ? "example" : from}
      action={action}
      initial={input ?? exampleInput(action)}
      isRepeat={input !== null}
    />
  );
}

interface TryBenchProps {
  action: ActionDetailObject;
  initial: Record<string, unknown>;
  isRepeat: boolean;
}

/** The form on the left; on the right the result and the same call as a curl command. */
function TryBench({ action, initial, isRepeat }: TryBenchProps) {
  const tryRun = useTryRun(action, initial);
  const { base_url: baseUrl } = useSession();
  const call = curlRun({ baseUrl, slug: action.slug, input: tryRun.form.input, isDryRun: tryRun.isDryRun });
  return (
    <div className="grid max-w-[1200px] grid-cols-1 gap-8 lg:grid-cols-2">
      <form {...tryRun.form.props} className="flex flex-col gap-4">
        {isRepeat ? (
          <p className="text-text-2">
            The fields contain the input of the previous run, with personal data and secrets redacted. Enter the real
            values before you run it.
          </p>
        ) : null}
        <TryFields tryRun={tryRun} />
        <TryButtons tryRun={tryRun} />
      </form>
      <div className="flex min-w-0 flex-col gap-4">
        <TryResult run={tryRun.run} error={tryRun.error} />
        <CodeBlock label="The same call with curl" snippets={[{ label: "The same call with curl", code: call }]} />
      </div>
    </div>
  );
}

function TryFields({ tryRun }: { tryRun: TryRun }) {
  if (tryRun.properties.length === 0) return <p className="text-text-2">This action takes no input.</p>;
  return tryRun.properties.map(([name, property]) => (
    <SchemaField
      key={name}
      {...tryRun.form.field(name)}
      property={property}
      isRequired={tryRun.schema.required.includes(name)}
    />
  ));
}

function TryButtons({ tryRun: { form, isDryRun, setIsDryRun } }: { tryRun: TryRun }) {
  const canRun = useHasRole("editor");
  return (
    <>
      <div className="border-t border-border pt-4">
        <Switch
          label="Dry run"
          description={
            isDryRun
              ? "Checks the input and records the call. No steps run and nothing is sent."
              : "Every step runs for real, and the run counts toward your limits."
          }
          isOn={isDryRun}
          onChange={setIsDryRun}
        />
      </div>
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" isBusy={form.isBusy} disabled={!canRun}>
          {form.isBusy ? null : <Play aria-hidden className="size-3.5" />}
          {isDryRun ? "Dry run" : "Run"}
        </Button>
        {canRun ? null : <span className="text-text-3">You need the editor role to run this action.</span>}
      </div>
    </>
  );
}
