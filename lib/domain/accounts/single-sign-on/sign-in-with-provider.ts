import { SIGN_IN_PROVIDERS, type SignInProvider } from "#lib/contract/account/account";
import { normalizeEmail } from "#lib/contract/account/normalize-email";
import { linkIdentity, type ProvenIdentity } from "#lib/domain/accounts/link-identity";
import { findOidcProvider } from "#lib/domain/accounts/list-sign-in-services";
import { lockSignUps } from "#lib/domain/accounts/sign-up";
import { signUpProven } from "#lib/domain/accounts/sign-up-proven";
import {
  findGrantedRoles,
  type Grants,
  type ProviderGroups,
} from "#lib/domain/accounts/single-sign-on/find-granted-roles";
import { reconcileMemberships } from "#lib/domain/accounts/single-sign-on/reconcile-memberships";
import { acceptOpenInvites } from "#lib/domain/workspaces/invites/accept-open-invites";
import { array, boolean, enumOf, integer, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type PrismaTx, prismaTransaction } from "#lib/platform/db/prisma";

/** What the other service reports about the person who signed in there. */
export interface ProviderPerson {
  provider: SignInProvider;
  subject: string;
  /** Null unless the service itself has verified that the address is theirs. */
  verifiedEmail: string | null;
  name: string;
  /** Only for an OpenID Connect provider: its name and the person's groups there. */
  membership?: { service: string; groups: ProviderGroups };
}

type ProviderSignIn =
  | { status: "signed_in"; userId: string; name: string; sessionEpoch: number }
  /** There is no session yet. The second step also connects `identity`, if the account does not know it. */
  | { status: "second_factor_needed"; userId: string; sessionEpoch: number; identity: ProvenIdentity | null }
  /** An account with this address has a password: a person who knows it may connect the two. */
  | { status: "password_needed"; identity: ProvenIdentity }
  | { status: "unverified" }
  /** No account has this address, no invite names it, and sign-up is not open to anyone. */
  | { status: "closed" }
  | { status: "no_workspace" }
  /** Workspaces use the provider, but none of them lets this person in. */
  | { status: "no_access" }
  | NonNullable<Grants["refusal"]>;

const ACCOUNT = {
  id: uuid,
  name: text,
  email: text,
  session_epoch: integer,
  has_password: boolean,
  has_two_step: nullable(boolean),
};
type Account = RowOf<typeof ACCOUNT>;

const noteUse = defineStatement({
  name: "note_identity_use",
  params: { provider: enumOf(SIGN_IN_PROVIDERS), subject: text },
  row: ACCOUNT,
  sql: `update user_identities i set last_used_at = now() from users u
        where i.provider = $1 and i.subject = $2 and u.id = i.user_id
        returning u.id, u.name, u.email, u.session_epoch, u.password_hash is not null as has_password,
          has_two_step(u.id) as has_two_step`,
  isPrepared: false,
});

const selectByEmail = defineStatement({
  name: "find_account_by_proven_email",
  params: { email: text },
  row: ACCOUNT,
  sql: `select id, name, email, session_epoch, password_hash is not null as has_password, has_two_step(id) as has_two_step
        from users where email = $1`,
  isPrepared: false,
});

const noteGroups = defineStatement({
  name: "note_identity_groups",
  params: { provider: enumOf(SIGN_IN_PROVIDERS), subject: text, groups: nullable(array(text)) },
  sql: "update user_identities set groups = $3 where provider = $1 and subject = $2",
  isPrepared: false,
});

/** More of them are of no help to an admin who maps groups to roles. */
const SHOWN_GROUPS = 200;

const NOTHING: Grants = { roles: new Map(), undecided: new Set(), refusal: null, hasRules: false };

/** A person who comes from another service, in the transaction of the sign-in. */
interface Arrival {
  person: ProviderPerson;
  /** Normalized; null unless the service has verified it. */
  email: string | null;
  grants: Grants;
}

/**
 * Signs a person in with an account of another service (decisions, Accounts). The account is known by the id that the
 * service gives it; only the first time by an address that the service has verified, which never gives access to an
 * account that has a password.
 */
export async function signInWithProvider(person: ProviderPerson): Promise<ProviderSignIn> {
  const email = person.verifiedEmail === null ? null : normalizeEmail(person.verifiedEmail);
  return prismaTransaction(async (tx): Promise<ProviderSignIn> => {
    let found = await findAccount(tx, person, email);
    if (found === null && email !== null) {
      // Two first sign-ins of a person at once: the second waits here, and then finds the account of the first.
      await lockSignUps(tx);
      found = await findAccount(tx, person, email);
    }
    const arrival = { person, email, grants: await grantsOf(tx, person, email) };
    if (found === null) return signUp(tx, arrival);
    const { account, identity } = found;
    if (identity === null) return enter(tx, arrival, account);
    if (account.has_password) return { status: "password_needed", identity };
    if (account.has_two_step) return secondFactorOf(account, identity);
    await linkIdentity(tx, identity, account);
    return enter(tx, arrival, account);
  });
}

interface FoundAccount {
  account: Account;
  /** The account of the other service, if ours is only known by its address; null if the two are connected. */
  identity: ProvenIdentity | null;
}

async function findAccount(
  tx: PrismaTx,
  { provider, subject }: ProviderPerson,
  email: string | null,
): Promise<FoundAccount | null> {
  const known = await noteUse.first(tx, { provider, subject });
  if (known) return { account: known, identity: null };
  if (email === null) return null;
  const account = await selectByEmail.first(tx, { email });
  return account && { account, identity: { provider, subject, email } };
}

async function grantsOf(tx: PrismaTx, { membership }: ProviderPerson, email: string | null): Promise<Grants> {
  const provider = findOidcProvider(membership?.service);
  if (provider === null || !membership) return NOTHING;
  return findGrantedRoles(tx, provider, { groups: membership.groups, email });
}

/** The second factor that a person set up is theirs: another service does not replace it, whatever it asked for. */
function secondFactorOf(account: Account, identity: ProvenIdentity | null): ProviderSignIn {
  const { id: userId, session_epoch: sessionEpoch } = account;
  return { status: "second_factor_needed", userId, sessionEpoch, identity };
}

/** Makes the memberships of a person equal to what the provider grants. */
async function admit(tx: PrismaTx, { person, grants }: Arrival, account: { id: string; name: string }): Promise<void> {
  if (!person.membership) return;
  const { provider, subject, membership } = person;
  const { service, groups } = membership;
  const shown = groups.status === "known" ? groups.groups.slice(0, SHOWN_GROUPS) : null;
  await noteGroups.run(tx, { provider, subject, groups: shown });
  const { id: userId, name } = account;
  const { roles, undecided } = grants;
  await reconcileMemberships(tx, { userId, name, provider: service, roles, undecided });
}

/**
 * Signs a person in who has an account. Invites for the address let in a user who belongs to no workspace: the service
 * has verified that the address is theirs.
 */
async function enter(tx: PrismaTx, arrival: Arrival, account: Account): Promise<ProviderSignIn> {
  await admit(tx, arrival, account);
  const { person, email, grants } = arrival;
  const { id, name, session_epoch: sessionEpoch } = account;
  const memberships = await tx.prisma.workspaceMember.findMany({
    where: { userId: id },
    select: { workspaceId: true, provider: true },
  });
  const isUndecided = ({ workspaceId, provider }: (typeof memberships)[number]) =>
    provider !== null && provider === person.membership?.service && grants.undecided.has(workspaceId);
  const isMember = memberships.length > 0;
  // Groups gave the person a role, and the provider did not send them. A person who can keep the claim from being sent
  // would otherwise keep a role that the groups no longer give.
  if (grants.refusal && memberships.some(isUndecided)) return grants.refusal;
  if (account.has_two_step) return secondFactorOf(account, null);
  if (!isMember && (email !== account.email || (await acceptOpenInvites(tx, email, account)) === 0)) {
    return grants.refusal ?? { status: "no_workspace" };
  }
  return { status: "signed_in", userId: id, name, sessionEpoch };
}

async function signUp(tx: PrismaTx, arrival: Arrival): Promise<ProviderSignIn> {
  const { person, email, grants } = arrival;
  if (email === null) return { status: "unverified" };
  const identity = { provider: person.provider, subject: person.subject, email };
  const made = await signUpProven(tx, identity, person.name, grants.roles.size > 0);
  if (made === null) return grants.refusal ?? { status: grants.hasRules ? "no_access" : "closed" };
  await admit(tx, arrival, made);
  return { status: "signed_in", userId: made.id, name: made.name, sessionEpoch: 0 };
}
