"use client";

import { useState } from "react";
import type { ActionDetailObject } from "#lib/contract/action/action";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { currentSchema } from "#lib/core/input/input-aliases";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { orderedProperties } from "@/components/features/actions/ordered-properties";
import { useSchemaForm } from "@/components/features/actions/use-schema-form";

export type TryRun = ReturnType<typeof useTryRun>;

/**
 * Holds the form that runs an action once, and the run it started. The first run is a dry run unless the user turns
 * that off.
 */
export function useTryRun({ slug, inputSchema }: ActionDetailObject, initial: JsonObject) {
  const schema = currentSchema(inputSchema);
  const [isDryRun, setIsDryRun] = useState(true);
  const run = useOperationMutation("run_action", {
    invalidates: ["list_runs", "list_workflows"],
    networkMode: "always",
  });
  const form = useSchemaForm({
    schema,
    initial,
    send: (input) => run.mutateAsync({ slug, input, dry_run: isDryRun }),
  });
  return {
    form,
    schema,
    properties: orderedProperties(schema.properties, schema.required),
    isDryRun,
    setIsDryRun,
    run: run.data,
    error: run.error,
  };
}
