import { createMailer, type Mail } from "#lib/domain/outbound-events/mail/mailer";
import { log } from "#lib/platform/config/log";
import { claimInvite } from "#worker/chores/invite-mail";
import { claimPasswordReset } from "#worker/chores/password-reset-mail";
import { repeatWhenDue } from "#worker/chores/repeat-when-due";

/** An email that this worker has claimed. */
export interface ClaimedMail {
  to: string;
  /** @throws Error if it cannot be written, for example because the key that sealed its link is missing */
  write(): Omit<Mail, "to">;
  /** Writes the result; the error is in the mail server's words, null if the email was sent. */
  settle(error: string | null): Promise<void>;
}

/** A person is looking at the page that says the email is on its way. */
const LOOK_MS = 2_000;

const SOURCES: Readonly<Record<string, () => Promise<ClaimedMail | null>>> = {
  invite: claimInvite,
  password_reset: claimPasswordReset,
};

/**
 * Sends emails to people from now on, if a mail server is set. An email in flight when the worker dies is sent again by
 * another one: twice is better than never.
 */
export function startMails(lookMs = LOOK_MS): { stop(): Promise<void> } {
  const mailer = createMailer();
  if (mailer === null) return { stop: async () => undefined };
  const { send, close } = mailer;
  let isStopped = false;
  const repeated = repeatWhenDue({
    name: "sending emails",
    turn: async () => {
      await Promise.all(Object.keys(SOURCES).map((source) => sendDue(source)));
      return lookMs;
    },
    retryMs: lookMs,
    firstMs: lookMs,
  });

  /** One after the other, each claimed when its turn comes: a slow mail server delays no other claim. */
  async function sendDue(source: string): Promise<void> {
    while (!isStopped) {
      const mail = await SOURCES[source]?.();
      if (!mail) return;
      const error = await sendOne(mail).then(
        () => null,
        (refusal: Error) => refusal.message,
      );
      if (error !== null) log.warn({ source, error }, "an email was refused");
      await mail.settle(error);
    }
  }

  async function sendOne({ to, write }: ClaimedMail): Promise<void> {
    await send({ to, ...write() });
  }

  return {
    stop: async () => {
      isStopped = true;
      await repeated.stop();
      close();
    },
  };
}
