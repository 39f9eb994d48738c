import { z } from "zod";
import { normalizeEmail } from "#lib/contract/account/normalize-email";
import { isTimeZone } from "#lib/contract/workspace/time-zone";

const PASSWORD_MIN_CHARACTERS = 10;
const PASSWORD_MAX_CHARACTERS = 200;

export const emailSchema = z.string().transform((raw, context) => {
  const email = normalizeEmail(raw);
  if (email !== null) return email;
  context.addIssue({ code: "custom", message: "must be an email address such as ann@example.com" });
  return z.NEVER;
});

export const passwordSchema = z
  .string()
  .min(PASSWORD_MIN_CHARACTERS, `must have at least ${PASSWORD_MIN_CHARACTERS} characters`)
  .max(PASSWORD_MAX_CHARACTERS, `must have at most ${PASSWORD_MAX_CHARACTERS} characters`);

export const personNameSchema = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(100, "must have at most 100 characters")
  .regex(/^\P{Cc}+$/u, "must not contain control characters");

export const timeZoneSchema = z
  .string()
  .max(100)
  .refine(isTimeZone, { message: "must be a time zone such as Europe/Berlin", abort: true });

export const updateAccountInput = z.object({ name: personNameSchema });

export const changePasswordInput = z.object({
  current_password: z.string().max(1_000).optional(),
  new_password: passwordSchema,
});

export const signUpInput = z.strictObject({
  name: personNameSchema,
  email: emailSchema,
  password: passwordSchema,
  workspace_name: personNameSchema.optional(),
  /** The time zone of the new workspace, as the browser reports it. An unknown zone must not prevent the sign-up. */
  time_zone: timeZoneSchema.optional().catch(undefined),
  /** The token of the invite link, /signup?invite=<token>. */
  invite: z.string().min(1).max(200).optional(),
});

export const requestPasswordResetInput = z.strictObject({ email: emailSchema });

export const resetPasswordInput = z.strictObject({
  /** The token of the emailed link, /reset-password?token=<token>. */
  token: z.string().min(1).max(200),
  new_password: passwordSchema,
});
