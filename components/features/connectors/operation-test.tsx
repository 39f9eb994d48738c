"use client";

import { Play } from "lucide-react";
import { useState } from "react";
import type { CustomConnectorObject } from "#lib/contract/connector/connector";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { SchemaField } from "@/components/features/actions/schema-field";
import { useSchemaForm } from "@/components/features/actions/use-schema-form";
import { useConnectionPages } from "@/components/features/connections/use-connections";
import { listParamFields, schemaOf, toParams } from "@/components/features/connectors/operation-params";
import { TriedResult } from "@/components/features/connectors/tried-result";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Select } from "@/components/ui/forms/select";
import { QueryView } from "@/components/ui/lists/query-view";
import { Skeleton } from "@/components/ui/lists/skeleton";

interface OperationTestProps {
  connector: CustomConnectorObject;
  operation: string | null;
  onChoose: (operation: string) => void;
}

/** Calls one operation manually: a form of its parameters on the left, the request and the response on the right. */
export function OperationTest({ connector, operation, onChoose }: OperationTestProps) {
  const chosen = connector.operations.find((item) => item.operation === operation) ?? connector.operations[0];
  const name = chosen?.operation ?? "";
  const schema = useOperation("get_operation_schema", { connector: connector.connector, operation: name });
  return (
    <div className="flex flex-col gap-4">
      <Field label="Operation" className="max-w-xl" description={chosen?.description}>
        {(control) => (
          <Select {...control} value={name} onChange={(event) => onChoose(event.target.value)}>
            {connector.operations.map((item) => (
              <option key={item.operation} value={item.operation}>
                {item.method} {item.path}
                {item.name === item.operation ? null : `: ${item.name}`}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <QueryView
        query={schema}
        skeleton={<Skeleton className="h-48 w-full max-w-xl" />}
        errorTitle="Couldn't load the parameters."
      >
        {(loaded) => (
          <TestBench
            key={`${connector.version} ${name}`}
            connector={connector}
            operation={name}
            paramsSchema={loaded.params_schema}
          />
        )}
      </QueryView>
    </div>
  );
}

interface TestBenchProps {
  connector: CustomConnectorObject;
  operation: string;
  paramsSchema: JsonObject;
}

function TestBench({ connector, operation, paramsSchema }: TestBenchProps) {
  const canCall = useHasRole("editor");
  const [connectionId, setConnectionId] = useState("");
  const attempt = useOperationMutation("test_operation", {
    invalidates: ["list_connections"],
    networkMode: "always",
  });
  const fields = listParamFields(paramsSchema);
  const form = useSchemaForm({
    schema: schemaOf(fields),
    initial: {},
    send: (input) =>
      attempt.mutateAsync({
        connector: connector.connector,
        operation,
        params: toParams(fields, input),
        ...(connectionId === "" ? {} : { connection_id: connectionId }),
      }),
  });
  return (
    <div className="grid max-w-[1200px] grid-cols-1 gap-8 lg:grid-cols-2">
      <form {...form.props} aria-label="Parameters" className="flex flex-col gap-4">
        <ConnectionChoice isNeeded={connector.auth !== "none"} value={connectionId} onChange={setConnectionId} />
        {fields.length === 0 ? <p className="text-text-2">This operation has no parameters.</p> : null}
        {fields.map(({ name, property, isRequired }) => (
          <SchemaField key={name} {...form.field(name)} property={property} isRequired={isRequired} />
        ))}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="primary" isBusy={form.isBusy} disabled={!canCall}>
            {form.isBusy ? null : <Play aria-hidden className="size-3.5" />}
            Send request
          </Button>
          <span className="text-dense text-text-3">
            {canCall ? "This sends a real request to the service." : "You need the editor role to send requests."}
          </span>
        </div>
      </form>
      <TriedResult tried={attempt.data ?? null} error={attempt.error} />
    </div>
  );
}

interface ConnectionChoiceProps {
  isNeeded: boolean;
  value: string;
  onChange: (connectionId: string) => void;
}

/** Custom connectors use HTTP API connections. */
function ConnectionChoice({ isNeeded, value, onChange }: ConnectionChoiceProps) {
  const { connections } = useConnectionPages();
  const fitting = connections.filter(({ connector }) => connector === "http");
  return (
    <Field
      label="Connection"
      isRequired={isNeeded}
      {...(isNeeded && fitting.length === 0
        ? { description: "There is no HTTP API connection yet. Create one under Connections." }
        : {})}
    >
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{isNeeded ? "Choose…" : "None"}</option>
          {fitting.map((item) => (
            <option key={item.connection_id} value={item.connection_id}>
              {item.status === "connected" ? item.name : `${item.name} (${item.status})`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
