"use client";

import { useState } from "react";
import type { CreatedKey, KeyObject } from "#lib/contract/web";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { AlertDialog } from "@/components/ui/alert-dialog";

interface RotateKeyDialogProps {
  subject: KeyObject;
  /** Whether the plan allows one more key: then there is a way without an interruption. */
  hasRoom: boolean;
  onClose: () => void;
  onRotated: (key: CreatedKey) => void;
}

export function RotateKeyDialog({ subject, hasRoom, onClose, onRotated }: RotateKeyDialogProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function rotate() {
    setIsBusy(true);
    setError(null);
    try {
      onRotated(await callOperation("rotate_key", { key_id: subject.key_id }));
    } catch (thrown) {
      setIsBusy(false);
      setError(thrown instanceof ClientError ? thrown.message : "The key could not be rotated. Try again.");
    }
  }

  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={`Rotate ${subject.name}?`}
      confirmLabel="Rotate now"
      isDestructive
      isBusy={isBusy}
      error={error}
      onConfirm={() => void rotate()}
    >
      <p>
        Creates a replacement with the same name, scopes and expiry, then revokes{" "}
        <code className="font-mono text-text">{subject.prefix}…</code> <strong>immediately</strong>: calls with it get
        401 from then on.
      </p>
      {hasRoom ? (
        <p>
          Without an interruption: create a second key with the same scopes, deploy it, watch Last used in this list
          until it is used, then revoke this one.
        </p>
      ) : (
        <p>Your plan has no room for a second key, so this is the only way to change it.</p>
      )}
    </AlertDialog>
  );
}
