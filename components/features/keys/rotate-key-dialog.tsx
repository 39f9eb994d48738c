"use client";

import { useState } from "react";
import type { CreatedKey, KeyObject } from "#lib/contract/wire/web";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { type RotationWay, RotationWayChoice } from "@/components/features/keys/rotation-way";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";

interface RotateKeyDialogProps {
  subject: KeyObject;
  /** Whether the plan allows one more key, which a rotation without downtime needs. */
  hasRoom: boolean;
  onClose: () => void;
  onRotated: (key: CreatedKey, way: RotationWay) => void;
}

export function RotateKeyDialog({ subject, hasRoom, onClose, onRotated }: RotateKeyDialogProps) {
  const [way, setWay] = useState<RotationWay>(hasRoom ? "beside" : "at_once");
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function rotate() {
    setIsBusy(true);
    setError(null);
    try {
      const input = { key_id: subject.key_id, keep_original: way === "beside" };
      onRotated(await callOperation("rotate_key", input), way);
    } catch (thrown) {
      setIsBusy(false);
      setError(thrown instanceof ClientError ? thrown.message : "Couldn't rotate the key. Try again.");
    }
  }

  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={`Rotate ${subject.name}?`}
      confirmLabel={way === "beside" ? "Create the replacement" : "Rotate now"}
      isDestructive={way === "at_once"}
      isBusy={isBusy}
      error={error}
      onConfirm={() => void rotate()}
    >
      <p>This creates a new key with the same name, scopes and expiration date.</p>
      <RotationWayChoice way={way} onChange={setWay} prefix={subject.prefix} hasRoom={hasRoom} />
    </AlertDialog>
  );
}
