import type { User } from "next-auth";
import { z } from "zod";
import { openLinkToken } from "#lib/api/auth/link-token";
import { SignInRefusal } from "#lib/api/auth/sign-in-errors";
import { openTicket, sealTicket } from "#lib/api/auth/sign-in-ticket";
import type { SecondFactor, SessionMethod } from "#lib/contract/account/account";
import { codeSchema, passkeyAssertionSchema } from "#lib/contract/account/two-step-schema";
import { checkSignIn, type SignInOutcome, type SignInSource } from "#lib/domain/accounts/check-sign-in";
import { linkIdentity } from "#lib/domain/accounts/link-identity";
import { findServiceOf } from "#lib/domain/accounts/list-sign-in-services";
import { hasProviderEnded } from "#lib/domain/accounts/provider-logouts";
import { checkPasskey } from "#lib/domain/accounts/two-step/check-passkey";
import { checkSecondFactor } from "#lib/domain/accounts/two-step/check-second-factor";
import { db } from "#lib/platform/db/pool";
import { prismaTransaction } from "#lib/platform/db/prisma";

const tokenSchema = z.string().min(1).max(8_000);
const errandFields = {
  /** The token of an invite, which a user with an account accepts by signing in. */
  invite: z.string().min(1).max(200).optional(),
  /** An account of another service to connect with the account that signs in. */
  link: tokenSchema.optional(),
};

const passwordSchema = z.object({ email: z.string().max(1_000), password: z.string().max(1_000), ...errandFields });

/** next-auth sends form fields, so a passkey's answer arrives as JSON in one of them. */
const assertionText = z
  .string()
  .max(65_536)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "must be JSON" });
      return z.NEVER;
    }
  })
  .pipe(passkeyAssertionSchema);
const passkeyFields = { token: tokenSchema, response: assertionText };

const passkeySchema = z.object({ ...passkeyFields, ...errandFields });

const secondFactorSchema = z.intersection(
  z.object({ ticket: tokenSchema }),
  z.union([
    z.object({ code: codeSchema }),
    z.object({ recovery_code: codeSchema }),
    z.object(passkeyFields).transform((passkey) => ({ passkey })),
  ]),
);

interface Errand {
  invite: string | null;
  link: string | null;
}

/** The first step with a password; also the last one for an account without a second factor. */
export async function authorizePassword(credentials: unknown, source: SignInSource): Promise<User | null> {
  const parsed = passwordSchema.safeParse(credentials);
  if (!parsed.success) return null;
  const { email, password, invite = null, link = null } = parsed.data;
  const outcome = await checkSignIn(email, password, source, invite);
  return admit(outcome, { method: "password", secondFactor: null, errand: { invite, link } });
}

/** A sign-in with a passkey alone. */
export async function authorizePasskey(credentials: unknown, { address }: SignInSource): Promise<User | null> {
  const parsed = passkeySchema.safeParse(credentials);
  if (!parsed.success) return null;
  const { token, response, invite = null, link = null } = parsed.data;
  const outcome = await checkPasskey({ proof: { token, response }, address, inviteToken: invite });
  return admit(outcome, { method: "passkey", secondFactor: null, errand: { invite, link } });
}

/** The second step, after a password or another service. */
export async function authorizeSecondFactor(credentials: unknown, source: SignInSource): Promise<User | null> {
  const parsed = secondFactorSchema.safeParse(credentials);
  if (!parsed.success) return null;
  const { ticket: token, ...proof } = parsed.data;
  const ticket = openTicket(token);
  if (!ticket) throw new SignInRefusal("expired");
  const { invite, link, method, origin } = ticket.data;
  if (origin !== null && (await hasProviderEnded(db(), origin))) throw new SignInRefusal("expired");
  const outcome = await checkSecondFactor({ ticket, proof, source, inviteToken: invite });
  if (outcome.status === "expired") throw new SignInRefusal("expired");
  const user = await admit(outcome, { method, secondFactor: outcome.secondFactor ?? null, errand: { invite, link } });
  return user && { ...user, origin };
}

interface Admission {
  method: SessionMethod;
  secondFactor: SecondFactor | null;
  errand: Errand;
}

async function admit(outcome: SignInOutcome, { method, secondFactor, errand }: Admission): Promise<User | null> {
  switch (outcome.status) {
    case "signed_in": {
      if (errand.link !== null) await connect(errand.link, outcome);
      const { userId: id, name, sessionEpoch } = outcome;
      return { id, name, sessionEpoch, method, secondFactor };
    }
    case "second_factor_needed": {
      const { userId, sessionEpoch: epoch } = outcome;
      throw new SignInRefusal("secondFactor", sealTicket({ user_id: userId, epoch, method, ...errand }));
    }
    case "refused":
      return null;
    case "throttled":
      throw new SignInRefusal("throttled", outcome.retryAfterSeconds);
    case "no_workspace": {
      // The groups at the service may give them a workspace, so the sign-in continues there.
      const service = errand.link === null ? null : await connect(errand.link, outcome);
      throw service === null ? new SignInRefusal("noWorkspace") : new SignInRefusal("connected", service);
    }
    case "invite_refused":
      throw new SignInRefusal("inviteRefused");
  }
}

/**
 * Connects an account of another service. Both are verified at this point: the address by the other service, the
 * account by this sign-in.
 * @returns the name of the service; null if the link has expired or is for another account
 */
async function connect(link: string, account: { userId: string; name: string; email: string }): Promise<string | null> {
  const identity = await openLinkToken(link);
  if (identity?.email !== account.email) return null;
  await prismaTransaction((tx) => linkIdentity(tx, identity, { id: account.userId, name: account.name }));
  return findServiceOf(identity.provider, identity.subject)?.name ?? null;
}
