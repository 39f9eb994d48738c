"use client";

import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/overlays/dialog";

interface RecoveryCodesDialogProps {
  codes: readonly string[];
  onClose: () => void;
}

/** Shows new recovery codes once. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const text = `${codes.join("\n")}\n`;
  return (
    <Dialog
      isOpen
      // Only the button below closes it: the codes are not shown again.
      title="Save your recovery codes"
      description="If you lose your device, a code lets you sign in. Each works once. They are shown only now."
      footer={
        <Button variant="primary" onClick={onClose}>
          I saved them
        </Button>
      }
    >
      <ul
        data-testid="recovery-codes"
        className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-3 border border-border bg-sunken p-3 font-mono text-dense sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton value={text} label="Copy codes" hasText size="md" autoFocus />
        <Button asChild>
          <a href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`} download="signalbox-recovery-codes.txt">
            <Download aria-hidden className="size-3.5" />
            Download
          </a>
        </Button>
      </div>
    </Dialog>
  );
}
