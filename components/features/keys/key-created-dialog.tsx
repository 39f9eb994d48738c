"use client";

import { useEffect, useState } from "react";
import type { CreatedKey } from "#lib/contract/wire/web";
import type { RotationWay } from "@/components/features/keys/rotation-way";
import { useSession } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";
import { Dialog } from "@/components/ui/overlays/dialog";
import { ShownOnce } from "@/components/ui/overlays/shown-once";

/** How the key was created: new, or as a replacement that leaves the old key active or revokes it at once. */
export type KeyOrigin = "new" | RotationWay;

interface KeyCreatedDialogProps {
  createdKey: CreatedKey;
  origin: KeyOrigin;
  /** Discards the raw key. */
  onClose: () => void;
}

const ABOUT: Record<KeyOrigin, string> = {
  new: "The key is shown only once. We don't keep a readable copy.",
  at_once: "The old key no longer works. The new key is shown only once.",
  beside: "The old key works until you revoke it. The new key is shown only once.",
};

/** Shows the raw key once. Closing asks first until the user confirms that they saved it. */
export function KeyCreatedDialog({ createdKey, origin, onClose }: KeyCreatedDialogProps) {
  const [isLeaving, setIsLeaving] = useState(false);
  const { base_url: baseUrl } = useSession();
  useEffect(askBeforeUnload, []);
  return (
    <>
      <Dialog
        isOpen
        onClose={() => setIsLeaving(true)}
        title={origin === "new" ? `Key ${createdKey.name} created` : `${createdKey.name} has a new key`}
        description={ABOUT[origin]}
        footer={
          <Button variant="primary" onClick={onClose}>
            I saved it
          </Button>
        }
      >
        <div className="flex flex-col gap-4">
          <ShownOnce value={createdKey.raw_key} copyLabel="Copy key" testId="raw-key" />
          <div className="flex flex-col gap-2">
            <p className="text-text-2">{firstCallWords(createdKey)}</p>
            <CodeBlock label="Make a first call" snippets={firstCall(baseUrl, createdKey)} />
          </div>
        </div>
      </Dialog>
      <AlertDialog
        isOpen={isLeaving}
        onClose={() => setIsLeaving(false)}
        title="Close without saving the key?"
        cancelLabel="Go back to the key"
        confirmLabel="Close"
        isDestructive
        onConfirm={onClose}
      >
        <p>You won't see this key again. If you lose it, you have to rotate it.</p>
      </AlertDialog>
    </>
  );
}

/** Triggers the browser's own prompt before the whole page unloads. */
function askBeforeUnload(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener("beforeunload", ask);
  return () => window.removeEventListener("beforeunload", ask);
}

function firstCallWords(key: CreatedKey): string {
  return key.scopes.includes("actions:read")
    ? "Set it as an environment variable in your integration, then check that it works:"
    : "Set it as an environment variable in your integration:";
}

function firstCall(baseUrl: string, key: CreatedKey) {
  const set = `export SVC_API_KEY=${key.raw_key}`;
  const list = `curl -sS "${baseUrl}/api/v1/runtime/actions" \\\n  -H "Authorization: Bearer $SVC_API_KEY"`;
  const mcp = `claude mcp add --transport http signalbox "${baseUrl}/mcp?answers=short" \\\n  --header "Authorization: Bearer $SVC_API_KEY"`;
  return [
    { label: "curl", code: key.scopes.includes("actions:read") ? `${set}\n${list}` : set },
    { label: "Claude Code", code: `${set}\n${mcp}` },
  ];
}
