"use client";

import type { CreatedInvite } from "#lib/contract/workspace";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { describeInstant } from "@/components/ui/format-time";

/** Shows the link, once. A lost one is replaced by a new one, so leaving needs no question. */
export function InviteLinkDialog({ invite, onClose }: { invite: CreatedInvite; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Invite for ${invite.email}`}
      description="This is the only time the link is shown."
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex items-center gap-2 rounded-3 border border-border-strong bg-sunken py-2 pr-2 pl-3">
          <code data-testid="invite-link" className="min-w-0 flex-1 font-mono text-dense [overflow-wrap:anywhere]">
            {invite.link}
          </code>
          <CopyButton value={invite.link} label="Copy link" hasText autoFocus size="md" />
        </div>
        <p className="text-text-2">
          No e-mail is sent: pass the link on yourself. It lets {invite.email} in, and nobody else, until{" "}
          {describeInstant(invite.expires_at)}.
        </p>
      </div>
    </Dialog>
  );
}
