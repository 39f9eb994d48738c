"use client";

import { useOperationMutation } from "@/components/api/operation-hooks";
import type { RevokableKey } from "@/components/features/keys/rotation-card";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";
import { toast } from "@/components/ui/toast";

interface RevokeKeyDialogProps {
  subject: RevokableKey;
  /** A reason not to revoke the key now. */
  warning?: string | undefined;
  onClose: () => void;
}

export function RevokeKeyDialog({ subject, warning, onClose }: RevokeKeyDialogProps) {
  const revoke = useOperationMutation("revoke_key", {
    invalidates: ["list_keys"],
    onSuccess: (key) => {
      toast(`Key revoked. Calls with ${key.prefix} now get 401.`);
      onClose();
    },
  });
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={`Revoke ${subject.name}?`}
      confirmLabel="Revoke key"
      isDestructive
      isBusy={revoke.isPending}
      error={revoke.error?.message ?? null}
      typeToConfirm={subject.name}
      onConfirm={() => revoke.mutate({ key_id: subject.key_id })}
    >
      {warning === undefined ? null : <p className="font-medium text-warn">{warning}</p>}
      <p>
        You can't undo this. The next call with <code className="font-mono text-text">{subject.prefix}…</code> gets 401
        “API key revoked”.
      </p>
      <p>Runs that it started will finish. This key can't poll, approve or replay runs anymore.</p>
    </AlertDialog>
  );
}
