import type { Task, TaskList } from "graphile-worker";
import { createMailer, type Mail, type SendMail } from "#lib/domain/outbound-events/mail/mailer";
import { INVITE_MAIL_JOB, type JobPayloads, type MailJob, RESET_MAIL_JOB } from "#lib/platform/jobs/payloads";
import { claimInvite } from "#worker/chores/invite-mail";
import { claimPasswordReset } from "#worker/chores/password-reset-mail";

/** An email that this worker has claimed. */
export interface ClaimedMail {
  to: string;
  /** @throws Error if it cannot be written, for example because the key that sealed its link is missing */
  write(): Omit<Mail, "to">;
  /** Writes the result; the error is in the mail server's words, null if the email was sent. */
  settle(error: string | null, isLast: boolean): Promise<void>;
}

type Claim = (id: string) => Promise<ClaimedMail | null>;

const MAILS: readonly [MailJob, Claim][] = [
  [INVITE_MAIL_JOB, claimInvite],
  [RESET_MAIL_JOB, claimPasswordReset],
];

/**
 * The jobs that send emails to people. Without a mail server there are none: the emails wait for a worker that has one.
 * An email in flight when its worker dies is sent again by another one: twice is better than never.
 */
export function openMails(): { tasks: TaskList; close(): void } {
  const mailer = createMailer();
  if (mailer === null) return { tasks: {}, close: () => undefined };
  const tasks = MAILS.map(([{ identifier }, claim]) => [identifier, mailTask(claim, mailer.send)]);
  return { tasks: Object.fromEntries(tasks), close: mailer.close };
}

function mailTask(claim: Claim, send: SendMail): Task {
  return async (payload, { job }) => {
    const mail = await claim((payload as JobPayloads[MailJob["identifier"]]).id);
    if (mail === null) return;
    const error = await sendOne(mail, send).then(
      () => null,
      (refusal: Error) => refusal,
    );
    await mail.settle(error?.message ?? null, job.attempts >= job.max_attempts);
    if (error !== null) throw error;
  };
}

async function sendOne({ to, write }: ClaimedMail, send: SendMail): Promise<void> {
  await send({ to, ...write() });
}
