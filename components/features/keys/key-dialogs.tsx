"use client";

import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { CreatedKey, KeyObject } from "#lib/contract/wire/web";
import { invalidateOperations } from "@/components/api/operation-hooks";
import type { KeyOrigin } from "@/components/features/keys/key-created-dialog";
import type { RevokableKey } from "@/components/features/keys/rotation-card";

const CreateKeyDialog = lazy(() =>
  import("@/components/features/keys/create-key-dialog").then((m) => ({ default: m.CreateKeyDialog })),
);
const KeyCreatedDialog = lazy(() =>
  import("@/components/features/keys/key-created-dialog").then((m) => ({ default: m.KeyCreatedDialog })),
);
const RotateKeyDialog = lazy(() =>
  import("@/components/features/keys/rotate-key-dialog").then((m) => ({ default: m.RotateKeyDialog })),
);
const RevokeKeyDialog = lazy(() =>
  import("@/components/features/keys/revoke-key-dialog").then((m) => ({ default: m.RevokeKeyDialog })),
);

const KeyUsageDialog = lazy(() =>
  import("@/components/features/keys/key-usage-dialog").then((m) => ({ default: m.KeyUsageDialog })),
);

/** The open dialog. The raw key lives only in this state and is discarded with it. */
export type OpenKeyDialog =
  | { kind: "create" }
  | { kind: "usage" | "rotate"; subject: KeyObject }
  | { kind: "revoke"; subject: RevokableKey; warning?: string | undefined }
  | { kind: "created"; subject: CreatedKey; origin: KeyOrigin }
  | null;

interface KeyDialogsProps {
  open: OpenKeyDialog;
  /** Whether the plan allows one more key. */
  hasRoom: boolean;
  /** The slug of the action that a new key is for, or an empty text. */
  action: string;
  onChange: (next: OpenKeyDialog) => void;
}

export function KeyDialogs(props: KeyDialogsProps) {
  return (
    <Suspense>
      <KeyDialog {...props} />
    </Suspense>
  );
}

function KeyDialog({ open, hasRoom, action, onChange }: KeyDialogsProps) {
  const queryClient = useQueryClient();
  const close = () => onChange(null);
  const show = (subject: CreatedKey, origin: KeyOrigin) => onChange({ kind: "created", subject, origin });
  switch (open?.kind) {
    case undefined:
      return null;
    case "create":
      return <CreateKeyDialog action={action} onClose={close} onCreated={(key) => show(key, "new")} />;
    case "rotate":
      return <RotateKeyDialog subject={open.subject} hasRoom={hasRoom} onClose={close} onRotated={show} />;
    case "usage":
      return <KeyUsageDialog subject={open.subject} onClose={close} />;
    case "revoke":
      return <RevokeKeyDialog subject={open.subject} warning={open.warning} onClose={close} />;
    case "created":
      return (
        <KeyCreatedDialog
          createdKey={open.subject}
          origin={open.origin}
          onClose={() => {
            close();
            // Only now: refetching the list earlier could unmount the dialog that shows the raw key.
            void invalidateOperations(queryClient, ["list_keys"]);
          }}
        />
      );
  }
}
