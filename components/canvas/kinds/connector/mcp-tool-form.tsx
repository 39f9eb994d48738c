"use client";

import { RefreshCw } from "lucide-react";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { editNodeData } from "@/components/canvas/document/edit-data";
import { OperationParams } from "@/components/canvas/kinds/connector/operation-params";
import { ConnectionPicker } from "@/components/canvas/panel/fields/connection-picker";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { ChoiceField } from "@/components/canvas/panel/fields/plain-field";
import { useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";

/** Edits a step that calls a tool: first the server, because each server has its own tools. */
export function McpToolForm() {
  const { node } = usePanel();
  const { connection_id: id } = node.data;
  return (
    <>
      <ConnectionPicker connector="mcp" />
      {typeof id === "string" && id !== "" ? <ToolFields key={id} connectionId={id} /> : null}
    </>
  );
}

function ToolFields({ connectionId }: { connectionId: string }) {
  const { node } = usePanel();
  const editor = useEditorStore();
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const canRefresh = useHasRole("editor") && !isReadOnly;
  const server = useOperation("get_connection_tools", { connection_id: connectionId });
  const refresh = useOperationMutation("refresh_connection_tools", {
    invalidates: ["get_connection_tools", "get_operation_schema", "list_step_catalog", "get_workflow"],
  });
  const { operation } = node.data;
  const tools = server.data?.tools ?? [];
  const chosen = tools.find((tool) => tool.name === operation);
  function choose(next: string) {
    if (next === operation) return;
    const { definition, edit } = editor.getState();
    edit(editNodeData(definition, node.id, [], { ...node.data, operation: next, params: {} }));
  }
  const problem = refresh.error?.message ?? server.data?.last_error ?? server.error?.message ?? null;
  return (
    <>
      <div className="flex flex-col gap-1">
        <ChoiceField
          path={["operation"]}
          label="Tool"
          options={[
            { value: "", label: "Choose…" },
            ...tools.map(({ name, title }) => ({ value: name, label: title })),
          ]}
          fallback=""
          onChoose={choose}
        />
        {chosen === undefined || chosen.description === "" ? null : (
          <p className="line-clamp-6 whitespace-pre-line text-dense text-text-3">{chosen.description}</p>
        )}
        {problem === null ? null : (
          <p role="status" className="text-dense text-err [overflow-wrap:anywhere]">
            {problem}
          </p>
        )}
        {canRefresh ? (
          <Button
            size="sm"
            className="self-start"
            isBusy={refresh.isPending}
            onClick={() => refresh.mutate({ connection_id: connectionId })}
          >
            <RefreshCw aria-hidden className="size-3.5" />
            Refresh tools
          </Button>
        ) : null}
      </div>
      {chosen === undefined ? null : (
        <OperationParams
          key={`${connectionId}.${chosen.name}`}
          connector="mcp"
          operation={chosen.name}
          isCustom={false}
          connectionId={connectionId}
        />
      )}
    </>
  );
}
