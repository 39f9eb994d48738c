"use client";

import { isJsonObject } from "#lib/support/json";
import { useOperation } from "@/components/api/operation-hooks";
import { editNodeData } from "@/components/canvas/document/edit-data";
import { HttpRequestForm } from "@/components/canvas/kinds/connector/http-request-form";
import { ConnectionPicker } from "@/components/canvas/panel/fields/connection-picker";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { ParamFields } from "@/components/canvas/panel/fields/param-fields";
import { ParamGroups } from "@/components/canvas/panel/fields/param-groups";
import { ChoiceField } from "@/components/canvas/panel/fields/plain-field";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import { CircuitNotice } from "@/components/features/connections/circuit-notice";
import { Skeleton } from "@/components/ui/lists/skeleton";

const STALE_MS = 60_000;
const HTTP = { connector: "http", operation: "request", params: { method: "GET", url: "" } };

/** Edits what a connector step calls: any URL, or an operation of a service. */
export function ConnectorForm() {
  const { node } = usePanel();
  const editor = useEditorStore();
  const connectors = useOperation("list_connectors", {}, { staleTime: STALE_MS });
  const { connector } = node.data;
  const offered = connectors.data?.data.filter((item) => item.operations.length > 0) ?? [];
  const name = typeof connector === "string" && connector !== "" ? connector : "http";
  const chosen = offered.find((item) => item.connector === name);
  /** Resets the rest, because another service has other operations, params and connections. */
  function choose(next: string) {
    if (next === name) return;
    const { definition, edit } = editor.getState();
    const { name: label, maxRetries, continueOnFailure } = node.data;
    const rest = next === "http" ? HTTP : { connector: next, operation: "", params: {} };
    const kept = Object.fromEntries(
      Object.entries({ name: label, maxRetries, continueOnFailure }).filter(([, value]) => value !== undefined),
    );
    edit(editNodeData(definition, node.id, [], { ...kept, ...rest }));
  }
  return (
    <>
      <ChoiceField
        path={["connector"]}
        label="Service"
        options={offered.map((item) => ({ value: item.connector, label: item.name }))}
        fallback="http"
        onChoose={choose}
      />
      <CircuitNotice connector={name} name={chosen?.name ?? name} />
      {name === "http" ? <HttpRequestForm /> : <ServiceFields connector={name} isCustom={chosen?.kind === "custom"} />}
    </>
  );
}

function ServiceFields({ connector, isCustom }: { connector: string; isCustom: boolean }) {
  const { node } = usePanel();
  const editor = useEditorStore();
  const operations = useOperation("get_connector_operations", { connector, kind: "action" }, { staleTime: STALE_MS });
  const { operation } = node.data;
  const chosen = operations.data?.data.find((item) => item.operation === operation);
  function choose(next: string) {
    if (next === operation) return;
    const { definition, edit } = editor.getState();
    const rest = { ...node.data, operation: next, params: {} };
    edit(editNodeData(definition, node.id, [], rest));
  }
  const options = operations.data?.data.map((item) => ({ value: item.operation, label: item.name })) ?? [];
  return (
    <>
      <div className="flex flex-col gap-1">
        <ChoiceField
          path={["operation"]}
          label="Operation"
          options={[{ value: "", label: "Choose…" }, ...options]}
          fallback=""
          onChoose={choose}
        />
        {chosen === undefined || chosen.description === chosen.name ? null : (
          <p className="text-dense text-text-3">{chosen.description}</p>
        )}
      </div>
      {isCustom ? <ConnectionPicker connector="http" noneLabel="None" /> : <ConnectionPicker connector={connector} />}
      {typeof operation === "string" && operation !== "" ? (
        <OperationParams key={`${connector}.${operation}`} {...{ connector, operation, isCustom }} />
      ) : null}
    </>
  );
}

interface OperationParamsProps {
  connector: string;
  operation: string;
  isCustom: boolean;
}

function OperationParams({ connector, operation, isCustom }: OperationParamsProps) {
  const schema = useOperation("get_operation_schema", { connector, operation }, { staleTime: STALE_MS });
  if (schema.isPending) return <Skeleton className="h-24 w-full" />;
  const params = schema.data?.params_schema;
  if (!isJsonObject(params))
    return <p className="text-dense text-err">Couldn't load the parameters of this operation.</p>;
  return isCustom ? <ParamGroups schema={params} /> : <ParamFields schema={params} />;
}
