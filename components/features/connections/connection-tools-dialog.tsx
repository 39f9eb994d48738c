"use client";

import { RefreshCw } from "lucide-react";
import { useEffect } from "react";
import type { ConnectionObject } from "#lib/contract/connection/connection";
import { formatCount } from "#lib/support/format/format-number";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { useHasRole } from "@/components/shell/session-context";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { Dialog } from "@/components/ui/overlays/dialog";
import { RelativeTime } from "@/components/words/relative-time";

interface ConnectionToolsDialogProps {
  subject: ConnectionObject;
  onClose: () => void;
}

/** Shows the tools of a connection's MCP server, and reads them again if they may have changed. */
export function ConnectionToolsDialog({ subject, onClose }: ConnectionToolsDialogProps) {
  const { connection_id, name } = subject;
  const canRefresh = useHasRole("editor");
  const server = useOperation("get_connection_tools", { connection_id });
  const { mutate, error, isPending, isIdle } = useOperationMutation("refresh_connection_tools", {
    invalidates: ["get_connection_tools", "get_operation_schema", "get_connector_operations", "list_step_catalog"],
  });
  const isStale = server.data?.stale === true;
  useEffect(() => {
    if (isStale && canRefresh && isIdle) mutate({ connection_id });
  }, [isStale, canRefresh, isIdle, mutate, connection_id]);
  const { data } = server;
  const problem = error?.message ?? server.error?.message ?? data?.last_error ?? null;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Tools of ${name}`}
      footer={
        <>
          {canRefresh ? (
            <Button onClick={() => mutate({ connection_id })} isBusy={isPending}>
              <RefreshCw aria-hidden className="size-4" />
              Refresh tools
            </Button>
          ) : null}
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {problem === null ? null : (
          <p role="alert" className="rounded-2 bg-err-bg px-3 py-2 text-err [overflow-wrap:anywhere]">
            {problem}
          </p>
        )}
        {data === undefined ? <Skeleton className="h-40 w-full" /> : <ServerTools server={data} />}
      </div>
    </Dialog>
  );
}

type Server = NonNullable<ReturnType<typeof useOperation<"get_connection_tools">>["data"]>;

function ServerTools({ server }: { server: Server }) {
  const { server: about, tools, left_out: leftOut, read_at: readAt } = server;
  if (about === null || readAt === null) return <p className="text-text-3">The tools have not been read yet.</p>;
  return (
    <>
      <p className="text-text-2 [overflow-wrap:anywhere]">
        {about.name} {about.version}, MCP {about.protocol}: {formatCount(tools.length, "tool")}, read{" "}
        <RelativeTime at={readAt} />
      </p>
      <ul aria-label="Tools" className="flex flex-col divide-y divide-border">
        {tools.map((tool) => (
          <li key={tool.name} className="flex flex-col gap-0.5 py-2">
            <span className="flex flex-wrap items-center gap-2">
              <span className="font-medium [overflow-wrap:anywhere]">{tool.title}</span>
              {tool.title === tool.name ? null : (
                <code className="font-mono text-dense text-text-3 [overflow-wrap:anywhere]">{tool.name}</code>
              )}
              {tool.repeatable ? <Badge>Safe to repeat</Badge> : null}
            </span>
            <span className="line-clamp-3 whitespace-pre-line text-dense text-text-2 [overflow-wrap:anywhere]">
              {tool.description}
            </span>
          </li>
        ))}
      </ul>
      {leftOut.length === 0 ? null : (
        <details>
          <summary className="cursor-pointer text-text-2">{formatCount(leftOut.length, "tool")} left out</summary>
          <ul className="mt-1 flex flex-col gap-1 text-dense text-text-2">
            {leftOut.map((tool) => (
              <li key={tool.name} className="[overflow-wrap:anywhere]">
                {tool.name}: {tool.reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
