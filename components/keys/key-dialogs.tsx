"use client";

import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { CreatedKey, KeyObject } from "#lib/contract/web";
import { invalidateOperations } from "@/components/api/operation-hooks";

const CreateKeyDialog = lazy(() =>
  import("@/components/keys/create-key-dialog").then((m) => ({ default: m.CreateKeyDialog })),
);
const KeyCreatedDialog = lazy(() =>
  import("@/components/keys/key-created-dialog").then((m) => ({ default: m.KeyCreatedDialog })),
);
const RotateKeyDialog = lazy(() =>
  import("@/components/keys/rotate-key-dialog").then((m) => ({ default: m.RotateKeyDialog })),
);
const RevokeKeyDialog = lazy(() =>
  import("@/components/keys/revoke-key-dialog").then((m) => ({ default: m.RevokeKeyDialog })),
);

const KeyUsageDialog = lazy(() =>
  import("@/components/keys/key-usage-dialog").then((m) => ({ default: m.KeyUsageDialog })),
);

/** The dialog that is open. The raw key lives in this state alone and goes with it. */
export type OpenKeyDialog =
  | { kind: "create" }
  | { kind: "usage" | "rotate" | "revoke"; subject: KeyObject }
  | { kind: "created"; subject: CreatedKey; isRotation: boolean }
  | null;

interface KeyDialogsProps {
  open: OpenKeyDialog;
  /** Whether the plan allows one more key. */
  hasRoom: boolean;
  onChange: (next: OpenKeyDialog) => void;
}

export function KeyDialogs(props: KeyDialogsProps) {
  return (
    <Suspense>
      <KeyDialog {...props} />
    </Suspense>
  );
}

function KeyDialog({ open, hasRoom, onChange }: KeyDialogsProps) {
  const queryClient = useQueryClient();
  const close = () => onChange(null);
  const show = (isRotation: boolean) => (subject: CreatedKey) => onChange({ kind: "created", subject, isRotation });
  switch (open?.kind) {
    case undefined:
      return null;
    case "create":
      return <CreateKeyDialog onClose={close} onCreated={show(false)} />;
    case "rotate":
      return <RotateKeyDialog subject={open.subject} hasRoom={hasRoom} onClose={close} onRotated={show(true)} />;
    case "usage":
      return <KeyUsageDialog subject={open.subject} onClose={close} />;
    case "revoke":
      return <RevokeKeyDialog subject={open.subject} onClose={close} />;
    case "created":
      return (
        <KeyCreatedDialog
          createdKey={open.subject}
          isRotation={open.isRotation}
          onClose={() => {
            close();
            // Only now: the list read any sooner could sweep the dialog with the raw key away.
            void invalidateOperations(queryClient, ["list_keys"]);
          }}
        />
      );
  }
}
