import { z } from "zod";
import { SESSION_METHODS } from "#lib/contract/web/account";
import { openSignInToken, sealSignInToken } from "#lib/domain/accounts/two-step/sign-in-token";

const ticketSchema = z.object({
  user_id: z.uuid(),
  /** A changed password makes the ticket useless. */
  epoch: z.number(),
  method: z.enum(SESSION_METHODS),
  /** The OpenID Connect provider of the first step. */
  provider: z.string().nullable().default(null),
  /** The token of an invite that the person accepts by signing in. */
  invite: z.string().nullable(),
  /** The token of another service's account that the sign-in connects. */
  link: z.string().nullable(),
});
type Ticket = z.input<typeof ticketSchema>;

/** Seals what the first step of a sign-in proved. It is not a session: it only lets the second step start. */
export function sealTicket(ticket: Ticket): string {
  return sealSignInToken("second_factor", ticket);
}

/** Returns null for an expired or invalid ticket. */
export function openTicket(token: string) {
  return openSignInToken("second_factor", token, ticketSchema);
}
