"use client";

import { useEffect, useState } from "react";
import type { CreatedKey } from "#lib/contract/web/web";
import type { RotationWay } from "@/components/features/keys/rotation-way";
import { useSession } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { AlertDialog } from "@/components/ui/overlays/alert-dialog";
import { Dialog } from "@/components/ui/overlays/dialog";
import { ShownOnce } from "@/components/ui/overlays/shown-once";

/** New, or in the place of another: beside it, or at once. */
export type KeyOrigin = "new" | RotationWay;

interface KeyCreatedDialogProps {
  createdKey: CreatedKey;
  origin: KeyOrigin;
  /** The raw key is gone after this. */
  onClose: () => void;
}

const ABOUT: Record<KeyOrigin, string> = {
  new: "This is the only time it is shown. We keep no copy that could be read.",
  at_once: "The old key stopped working just now. This is the only time the new one is shown.",
  beside: "The old key works on until you revoke it. This is the only time the new one is shown.",
};

/** Shows the raw key, once. Leaving without having said that it is saved asks first. */
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
            <CodeBlock label="A first call" snippets={firstCall(baseUrl, createdKey)} />
          </div>
        </div>
      </Dialog>
      <AlertDialog
        isOpen={isLeaving}
        onClose={() => setIsLeaving(false)}
        title="Close without saving the key?"
        cancelLabel="Back to the key"
        confirmLabel="Close"
        isDestructive
        onConfirm={onClose}
      >
        <p>You will not see this key again. Without it, only rotating gives you a working one.</p>
      </AlertDialog>
    </>
  );
}

/** The browser's own question, when the whole page is about to go. */
function askBeforeUnload(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener("beforeunload", ask);
  return () => window.removeEventListener("beforeunload", ask);
}

function firstCallWords(key: CreatedKey): string {
  return key.scopes.includes("actions:read")
    ? "Set it in the environment of whatever uses it, and see that it works:"
    : "Set it in the environment of whatever uses it:";
}

function firstCall(baseUrl: string, key: CreatedKey) {
  const set = `export SVC_API_KEY=${key.raw_key}`;
  const list = `curl -sS "${baseUrl}/api/v1/runtime/actions" \\\n  -H "Authorization: Bearer $SVC_API_KEY"`;
  const mcp = `claude mcp add --transport http signalbox ${baseUrl}/mcp \\\n  --header "Authorization: Bearer $SVC_API_KEY"`;
  return [
    { label: "curl", code: key.scopes.includes("actions:read") ? `${set}\n${list}` : set },
    { label: "Claude Code", code: `${set}\n${mcp}` },
  ];
}
