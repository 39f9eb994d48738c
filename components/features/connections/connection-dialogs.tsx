"use client";

import { lazy, Suspense } from "react";
import type { ConnectionObject } from "#lib/contract/connection/connection";

const CreateConnectionDialog = lazy(() =>
  import("@/components/features/connections/create-connection-dialog").then((m) => ({
    default: m.CreateConnectionDialog,
  })),
);
const ReplaceCredentialsDialog = lazy(() =>
  import("@/components/features/connections/replace-credentials-dialog").then((m) => ({
    default: m.ReplaceCredentialsDialog,
  })),
);
const RenameConnectionDialog = lazy(() =>
  import("@/components/features/connections/rename-connection-dialog").then((m) => ({
    default: m.RenameConnectionDialog,
  })),
);
const TestConnectionDialog = lazy(() =>
  import("@/components/features/connections/test-connection-dialog").then((m) => ({ default: m.TestConnectionDialog })),
);
const ConnectionToolsDialog = lazy(() =>
  import("@/components/features/connections/connection-tools-dialog").then((m) => ({
    default: m.ConnectionToolsDialog,
  })),
);
const DeleteConnectionDialog = lazy(() =>
  import("@/components/features/connections/delete-connection-dialog").then((m) => ({
    default: m.DeleteConnectionDialog,
  })),
);

/** The open dialog. */
export type OpenConnectionDialog =
  | { kind: "create" }
  | { kind: "test" | "tools" | "rename" | "replace" | "delete"; subject: ConnectionObject }
  | null;

interface ConnectionDialogsProps {
  open: OpenConnectionDialog;
  onClose: () => void;
}

export function ConnectionDialogs(props: ConnectionDialogsProps) {
  return (
    <Suspense>
      <ConnectionDialog {...props} />
    </Suspense>
  );
}

function ConnectionDialog({ open, onClose }: ConnectionDialogsProps) {
  switch (open?.kind) {
    case undefined:
      return null;
    case "create":
      return <CreateConnectionDialog onClose={onClose} />;
    case "test":
      return <TestConnectionDialog subject={open.subject} onClose={onClose} />;
    case "tools":
      return <ConnectionToolsDialog subject={open.subject} onClose={onClose} />;
    case "rename":
      return <RenameConnectionDialog subject={open.subject} onClose={onClose} />;
    case "replace":
      return <ReplaceCredentialsDialog subject={open.subject} onClose={onClose} />;
    case "delete":
      return <DeleteConnectionDialog subject={open.subject} onClose={onClose} />;
  }
}
