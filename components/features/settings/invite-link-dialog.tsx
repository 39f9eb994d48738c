"use client";

import type { CreatedInvite } from "#lib/contract/workspace/workspace";
import { formatDateTime } from "#lib/support/format/format-moment";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { ShownOnce } from "@/components/ui/overlays/shown-once";

/** Shows the link once. A lost link can be replaced by a new one, so closing needs no confirmation. */
export function InviteLinkDialog({ invite, onClose }: { invite: CreatedInvite; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Invite for ${invite.email}`}
      description="The link is shown only once."
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
            ? "We didn't email the link, because no mail server is configured or today's limit for invite emails is reached. Share the link yourself."
            : `The link is being mailed to ${invite.email}. The list of invites shows when it's sent. You can also share the link yourself.`}{" "}
          It works only for {invite.email}, until {formatDateTime(invite.expires_at)}.
        </p>
      </div>
    </Dialog>
  );
}
