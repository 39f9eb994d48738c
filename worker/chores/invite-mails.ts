import { createMailer, type SendMail } from "#lib/domain/outbound-events/mail/mailer";
import {
  type ClaimedInviteMail,
  claimInviteMail,
  openInviteLink,
} from "#lib/domain/workspaces/invites/claim-invite-mail";
import { settleInviteMail } from "#lib/domain/workspaces/invites/settle-invite-mail";
import { log } from "#lib/platform/config/log";
import { formatDateTime } from "#lib/support/format/format-moment";
import { readerIn } from "#lib/support/format/reader";

/** A person is looking at the dialog that says the mail is on its way. */
const LOOK_MS = 2_000;

/**
 * Mails invites from now on, when a mail server is configured. A mail in flight when the worker dies is sent again by
 * another one: twice is better than never.
 */
export function startInviteMails(lookMs = LOOK_MS): { stop(): Promise<void> } {
  const mailer = createMailer();
  if (mailer === null) return { stop: async () => undefined };
  const { send, close } = mailer;
  let looking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = setTimeout(turn, lookMs);

  function turn(): void {
    looking = mailDue(send, () => timer === null)
      .catch((error: unknown) => log.warn({ err: error }, "mailing invites failed"))
      .then(() => {
        if (timer) timer = setTimeout(turn, lookMs);
      });
  }

  return {
    stop: async () => {
      if (timer) clearTimeout(timer);
      timer = null;
      await looking;
      close();
    },
  };
}

/** One after the other, each claimed when its turn comes: a slow mail server delays no other claim. */
async function mailDue(send: SendMail, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const invite = await claimInviteMail();
    if (invite === null) return;
    const error = await mail(send, invite).then(
      () => null,
      (refusal: Error) => refusal.message,
    );
    if (error !== null)
      log.warn({ invite: invite.inviteId, attempts: invite.attempts, error }, "an invite was refused");
    await settleInviteMail(invite, error);
  }
}

async function mail(send: SendMail, invite: ClaimedInviteMail): Promise<void> {
  await send({ to: invite.email, ...writeInvite(invite, openInviteLink(invite)) });
}

/** Names are user input: shown on one line, and never as the whole mail. */
function writeInvite({ workspaceName, timeZone, inviter, expiresAt }: ClaimedInviteMail, link: string) {
  const workspace = workspaceName.replace(/\s+/g, " ");
  const who = inviter === null ? "You are invited" : `${inviter.replace(/\s+/g, " ")} invites you`;
  const until = formatDateTime(expiresAt, readerIn(timeZone));
  return {
    subject: `${who} to ${workspace} on Signalbox`,
    text: [
      `${who} to the workspace ${workspace} on Signalbox.`,
      `Open the link to accept. It works once, only for this address, until ${until}:`,
      link,
      "If you did not expect an invite, you can ignore this email.",
    ].join("\n\n"),
  };
}
