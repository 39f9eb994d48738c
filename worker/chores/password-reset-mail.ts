import { LIMITS } from "#lib/contract/limits";
import { claimResetMail, settleResetMail } from "#lib/domain/accounts/password-reset/claim-reset-mail";
import { env } from "#lib/platform/config/env";
import type { ClaimedMail } from "#worker/chores/mail-people";

/** Claims the email with a link that sets a new password; null if it is not wanted anymore. */
export async function claimPasswordReset(userId: string): Promise<ClaimedMail | null> {
  const claimed = await claimResetMail(userId);
  if (claimed === null) return null;
  return {
    to: claimed.email,
    write: () => writeReset(claimed.token),
    settle: (error, isLast) => settleResetMail(claimed, error === null || isLast),
  };
}

function writeReset(token: string) {
  const { PUBLIC_BASE_URL } = env();
  return {
    subject: "Reset your Signalbox password",
    text: [
      `You asked to reset the password for your account at ${PUBLIC_BASE_URL}.`,
      `Open the link to choose a new one. The link works once and expires in ${LIMITS.passwordResetMinutes} minutes:`,
      `${PUBLIC_BASE_URL}/reset-password?token=${token}`,
      "If you did not ask for this, you can ignore this email. Your password stays the same.",
    ].join("\n\n"),
  };
}
