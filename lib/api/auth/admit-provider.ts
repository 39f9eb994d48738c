import type { User } from "next-auth";
import { sealLinkToken } from "#lib/api/auth/link-token";
import type { ProvenSignIn } from "#lib/api/auth/oidc-sign-in";
import { refusalPath, type SignInRefusalCode } from "#lib/api/auth/sign-in-errors";
import { sealTicket } from "#lib/api/auth/sign-in-ticket";
import type { SignInProvider } from "#lib/contract/account/account";
import { findOidcProvider } from "#lib/domain/accounts/list-sign-in-services";
import type { ProviderOrigin } from "#lib/domain/accounts/provider-session";
import { type ProviderPerson, signInWithProvider } from "#lib/domain/accounts/single-sign-on/sign-in-with-provider";
import { log } from "#lib/platform/config/log";

/**
 * Decides whether an account of another service signs in to one of ours. Before this call next-auth's user is the
 * account of the other service; after it, ours.
 * @param service the name that next-auth knows the service by
 * @param returnTo the path that opens after a second step
 * @returns true, or the path to redirect to
 */
export async function admitProvider(user: User, service: string, returnTo: string | null): Promise<boolean | string> {
  const provider = kindOf(service);
  if (provider === null) return true;
  if (user.oidc && "refusal" in user.oidc) return refusalPath(user.oidc.refusal);
  try {
    return await admitPerson(user, { provider, service, returnTo });
  } catch (error) {
    log.warn({ err: error, provider: service }, "sign-in with another service failed");
    return refusalPath("failed");
  }
}

function kindOf(service: string): SignInProvider | null {
  if (service === "github" || service === "google") return service;
  return findOidcProvider(service) === null ? null : "oidc";
}

interface Arrival {
  provider: SignInProvider;
  service: string;
  returnTo: string | null;
}

async function admitPerson(user: User, { provider, service, returnTo }: Arrival): Promise<boolean | string> {
  const { id: subject, email, name } = user;
  const person: ProviderPerson = { provider, subject, verifiedEmail: email ?? null, name: name ?? "" };
  const proven = user.oidc && "person" in user.oidc ? user.oidc : null;
  if (proven) person.membership = { service, groups: proven.person.groups };
  const outcome = await signInWithProvider(person);
  const origin = proven === null ? null : originOf(proven, service, subject);
  switch (outcome.status) {
    case "signed_in": {
      const { userId: id, name: ownName, sessionEpoch } = outcome;
      const secondFactor = proven?.person.isMfa ? "provider" : null;
      Object.assign(user, { id, name: ownName, sessionEpoch, method: provider, secondFactor, origin });
      return true;
    }
    case "second_factor_needed": {
      const link = outcome.identity === null ? null : await sealLinkToken(outcome.identity);
      const { userId, sessionEpoch: epoch } = outcome;
      const ticket = sealTicket({ user_id: userId, epoch, method: provider, origin, invite: null, link });
      const query = new URLSearchParams({ ticket, ...(returnTo === null ? {} : { callbackUrl: returnTo }) });
      return `/sign-in?${query}`;
    }
    case "password_needed":
      return `/sign-in?link=${encodeURIComponent(await sealLinkToken(outcome.identity))}`;
    case "unverified":
      return refusalPath(proven?.person.emailRefusal ?? "unverified");
    case "groups_missing":
      return refusalPath(`groupsMissing:${outcome.claim}`);
    case "groups_unreadable":
      return refusalPath(`groupsUnreadable:${outcome.claim}`);
    default:
      return refusalPath(REFUSALS[outcome.status]);
  }
}

function originOf({ person, idToken, startedAt }: ProvenSignIn, provider: string, subject: string): ProviderOrigin {
  return { provider, subject, sid: person.sid, idToken, startedAt };
}

const REFUSALS = {
  closed: "closed",
  no_workspace: "noWorkspace",
  no_access: "noAccess",
  groups_overage: "groupsOverage",
} as const satisfies Record<string, SignInRefusalCode>;
