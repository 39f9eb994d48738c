import {
  type ClaimedInviteMail,
  claimInviteMail,
  openInviteLink,
} from "#lib/domain/workspaces/invites/claim-invite-mail";
import { settleInviteMail } from "#lib/domain/workspaces/invites/settle-invite-mail";
import { formatDateTime } from "#lib/support/format/format-moment";
import { readerIn } from "#lib/support/format/reader";
import type { ClaimedMail } from "#worker/chores/mail-people";

/** Claims the email of an invite; null if it is not wanted anymore. */
export async function claimInvite(inviteId: string): Promise<ClaimedMail | null> {
  const invite = await claimInviteMail(inviteId);
  if (invite === null) return null;
  return {
    to: invite.email,
    write: () => writeInvite(invite, openInviteLink(invite)),
    settle: (error, isLast) => settleInviteMail(invite, error, isLast),
  };
}

/** Names are user input: shown on one line, and never as the whole mail. */
function writeInvite({ workspaceName, timeZone, inviter, expiresAt }: ClaimedInviteMail, link: string) {
  const workspace = workspaceName.replace(/\s+/g, " ");
  const who = inviter === null ? "You were invited" : `${inviter.replace(/\s+/g, " ")} invited you`;
  const until = formatDateTime(expiresAt, readerIn(timeZone));
  return {
    subject: `${who} to ${workspace} on Signalbox`,
    text: [
      `${who} to the workspace ${workspace} on Signalbox.`,
      `Open the link to accept. The link works once, only for this email address, and expires on ${until}:`,
      link,
      "If you did not expect an invite, you can ignore this email.",
    ].join("\n\n"),
  };
}
