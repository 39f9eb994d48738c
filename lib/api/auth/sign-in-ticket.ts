import { z } from "zod";
import { SESSION_METHODS } from "#lib/contract/account/account";
import { openSignInToken, sealSignInToken } from "#lib/domain/accounts/two-step/sign-in-token";

const originSchema = z.object({
  provider: z.string(),
  subject: z.string(),
  sid: z.string().nullable(),
  idToken: z.string().nullable(),
  startedAt: z.number(),
});

const ticketSchema = z.object({
  user_id: z.uuid(),
  /** A changed password makes the ticket useless. */
  epoch: z.number(),
  method: z.enum(SESSION_METHODS),
  /** The sign-in at an OpenID Connect provider that was the first step. */
  origin: originSchema.nullable().default(null),
  /** The token of an invite that the person accepts by signing in. */
  invite: z.string().nullable(),
  /** The token of another service's account that the sign-in connects. */
  link: z.string().nullable(),
});
/** A ticket travels in an address, and proxies limit the length of a header. */
const ID_TOKEN_MAX = 2_000;

type Ticket = z.input<typeof ticketSchema>;

/** Seals what the first step of a sign-in proved. It is not a session: it only lets the second step start. */
export function sealTicket(ticket: Ticket): string {
  const { origin = null } = ticket;
  const isLong = (origin?.idToken?.length ?? 0) > ID_TOKEN_MAX;
  return sealSignInToken("second_factor", isLong ? { ...ticket, origin: { ...origin, idToken: null } } : ticket);
}

/** Returns null for an expired or invalid ticket. */
export function openTicket(token: string) {
  return openSignInToken("second_factor", token, ticketSchema);
}
