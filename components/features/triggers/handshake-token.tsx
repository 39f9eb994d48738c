"use client";

import { useOperation } from "@/components/api/operation-hooks";
import { CopyButton } from "@/components/ui/copy-button";

/** Shows the token that the sender brought, which a person must enter there before the sender sends events. */
export function HandshakeToken({ workflowId, refreshMs }: { workflowId: string; refreshMs: number }) {
  const query = useOperation("get_handshake_token", { workflow_id: workflowId }, { refetchInterval: refreshMs });
  const token = query.data?.token;
  if (token === undefined) return null;
  if (token === null) {
    return <p className="text-dense text-text-2">Waiting for the sender to send its verification token.</p>;
  }
  return (
    <div className="flex flex-col gap-1">
      <p className="text-dense text-text-2">The sender asks for this verification token:</p>
      <div className="flex items-center gap-2 rounded-2 border border-border bg-sunken py-1 pr-1 pl-2.5">
        <code className="min-w-0 flex-1 font-mono text-dense [overflow-wrap:anywhere]">{token}</code>
        <CopyButton value={token} label="Copy verification token" />
      </div>
    </div>
  );
}
