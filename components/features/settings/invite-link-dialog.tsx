"use client";

import type { CreatedInvite } from "#lib/contract/workspace";
import { formatDateTime } from "#lib/support/format/format-moment";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { ShownOnce } from "@/components/ui/overlays/shown-once";

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
        <ShownOnce value={invite.link} copyLabel="Copy link" testId="invite-link" />
        <p className="text-text-2">
          {invite.mail === null
            ? "It is not mailed: no mail server is set here, or enough invites were mailed for today. Pass the link on yourself."
            : `The link is being mailed to ${invite.email}; the list of invites says when it is sent. You can also pass it on yourself.`}{" "}
          It lets {invite.email} in, and nobody else, until {formatDateTime(invite.expires_at)}.
        </p>
      </div>
    </Dialog>
  );
}
