"use client";

import { getPath } from "#lib/support/get-path";
import { useOperation } from "@/components/api/operation-hooks";
import { editNodeData } from "@/components/canvas/document/edit-data";
import { HttpRequestForm } from "@/components/canvas/kinds/connector/http-request-form";
import { McpToolForm } from "@/components/canvas/kinds/connector/mcp-tool-form";
import { OperationParams } from "@/components/canvas/kinds/connector/operation-params";
import { ConnectionPicker } from "@/components/canvas/panel/fields/connection-picker";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { ChoiceField } from "@/components/canvas/panel/fields/plain-field";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import { CircuitNotice } from "@/components/features/connections/circuit-notice";

const STALE_MS = 60_000;
const MCP = "mcp";
const HTTP = { connector: "http", operation: "request", params: { method: "GET", url: "" } };

/** Edits what a connector step calls: any URL, or an operation of a service. */
export function ConnectorForm() {
  const { node } = usePanel();
  const editor = useEditorStore();
  const connectors = useOperation("list_connectors", {}, { staleTime: STALE_MS });
  const { connector } = node.data;
  const offered = connectors.data?.data.filter((item) => item.operations.length > 0 || item.connector === MCP) ?? [];
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
      <CircuitNotice
        connector={name}
        name={chosen?.name ?? name}
        connectionId={node.data.connection_id}
        url={name === "http" ? getPath(node.data, ["params", "url"]) : null}
      />
      <OperationForm connector={name} isCustom={chosen?.kind === "custom"} />
    </>
  );
}

interface ServiceProps {
  connector: string;
  isCustom: boolean;
}

function OperationForm(props: ServiceProps) {
  if (props.connector === "http") return <HttpRequestForm />;
  return props.connector === MCP ? <McpToolForm /> : <ServiceFields {...props} />;
}

function ServiceFields({ connector, isCustom }: ServiceProps) {
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
        <OperationParams
          key={`${connector}.${operation}`}
          connector={connector}
          operation={operation}
          isCustom={isCustom}
        />
      ) : null}
    </>
  );
}
