"use client";

import type { ConnectorKindObject } from "#lib/contract/connection/connection";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { useDraftSession, useEditor } from "@/components/canvas/store/draft-context";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";

/** Removes the cause of a problem that is not in the drawing: it lets a connection call the step's host. */
export function AllowHost({ problem }: { problem: GraphProblem }) {
  const session = useDraftSession();
  const canAllow = useHasRole("admin");
  const connectionId = useEditor(({ definition }) => {
    return definition.nodes.find(({ id }) => id === problem.node_id)?.data.connection_id;
  });
  const allow = useOperationMutation("allow_connection_host", {
    invalidates: ["list_connections", "list_step_catalog"],
    onSuccess: async (connection, { origin }) => {
      toast(`${connection.name} can call ${origin} now.`);
      await session.refresh();
    },
  });
  const { origin, code } = problem;
  if (code !== "HOST_NOT_ALLOWED" || origin === undefined || typeof connectionId !== "string") return null;
  if (!canAllow) return <p className="text-dense text-text-3">An admin of this workspace can allow {origin}.</p>;
  return (
    <>
      <Button
        size="sm"
        className="self-start"
        isBusy={allow.isPending}
        onClick={() => allow.mutate({ connection_id: connectionId, origin })}
      >
        Allow {origin}
      </Button>
      {allow.error === null ? null : (
        <p role="alert" className="text-dense text-err">
          {allow.error.message}
        </p>
      )}
    </>
  );
}

/** Returns true for a step whose connection is missing and must be created first. */
export function isConnectionMissing({ code, field, fix }: GraphProblem): boolean {
  return code === "INVALID_DATA" && field === "connection_id" && fix === undefined;
}

/** Returns which connectors a step without a connection can use. */
export function fitsConnector(connector: string | undefined): (kind: ConnectorKindObject) => boolean {
  return (kind) => (connector === undefined ? kind.serves_models : kind.connector === connector);
}

/** Returns what the form of a new connection contains for a service: a name, and the only host that gets the secret. */
export function prefillFor(origin: string | null | undefined) {
  if (origin === null || origin === undefined) return undefined;
  const host = new URL(origin).host;
  return { name: host, fields: { hosts: origin.startsWith("https://") ? host : origin } };
}
