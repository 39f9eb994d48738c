import type { SignInRefusalCode } from "#lib/api/auth/sign-in-errors";
import type { ProviderGroups } from "#lib/domain/accounts/single-sign-on/find-granted-roles";
import type { OidcProvider } from "#lib/platform/config/oidc-provider-setting";

/** What an OpenID Connect provider reports about the person who signed in there. */
export interface OidcPerson {
  /** Null unless it is an id that only this person has. */
  sub: string | null;
  /** The provider's id of its session; null if it names none. */
  sid: string | null;
  name: string;
  /** Null unless the provider has verified it. */
  verifiedEmail: string | null;
  /** Why this person cannot sign in for the first time, if the address is not usable. */
  emailRefusal: SignInRefusalCode | null;
  groups: ProviderGroups;
  /** Whether the provider proved a second factor. */
  isMfa: boolean;
}

type Claims = Record<string, unknown>;

/** OpenID Connect Core 1.0, 2. */
const SUBJECT_MAX = 255;

/** Reads the claims by the names that the provider's setting gives them. */
export function readOidcClaims(setting: OidcProvider, claims: Claims): OidcPerson {
  const { claims: names, mfa } = setting;
  const email = textIn(claims, names.email);
  const emailRefusal = refusalOf(email, setting, claims);
  return {
    sub: subjectIn(claims),
    sid: textIn(claims, "sid"),
    name: textIn(claims, names.name) ?? "",
    verifiedEmail: emailRefusal === null ? email : null,
    emailRefusal,
    groups: groupsIn(claims, names.groups),
    isMfa: listIn(claims.amr)?.some((value) => mfa.amr.includes(value)) === true || isIn(mfa.acr, claims.acr),
  };
}

function refusalOf(email: string | null, setting: OidcProvider, claims: Claims): SignInRefusalCode | null {
  const { claims: names, email_domains: domains } = setting;
  if (email === null) return `claimMissing:${names.email}`;
  if (!isTrue(claimAt(claims, names.email_verified))) return "unverified";
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  return domains === undefined || domains.includes(domain) ? null : "foreignAddress";
}

/** A name with a slash or a dot can be the name of one claim (`https://example.com/groups`) or a path into objects. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split(".").reduce<unknown>((value, part) => (isObject(value) ? value[part] : undefined), claims);
}

function textIn(claims: Claims, name: string): string | null {
  const value = claimAt(claims, name);
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

/** Some providers send text or a number instead of a boolean. */
function isTrue(value: unknown): boolean {
  return value === true || value === "true" || value === 1 || value === "1";
}

/** Everyone without a usable subject would be one and the same person here. */
function subjectIn({ sub }: Claims): string | null {
  return typeof sub === "string" && sub.trim() !== "" && sub.length <= SUBJECT_MAX ? sub : null;
}

/**
 * Microsoft Entra ID leaves out the groups of people who have too many of them, and names the claim in `_claim_names`
 * instead.
 */
function groupsIn(claims: Claims, name: string): ProviderGroups {
  const value = claimAt(claims, name);
  const elsewhere = claims._claim_names;
  if (value === undefined && (claims.hasgroups === true || (isObject(elsewhere) && name in elsewhere))) {
    return { status: "overage", claim: name };
  }
  if (value === undefined || value === null) return { status: "missing", claim: name };
  const groups = listIn(value);
  // Not an empty list: without its groups, a person would lose every role.
  return groups === null ? { status: "unreadable", claim: name } : { status: "known", groups };
}

/** Returns null for anything but text or a list of texts. */
function listIn(value: unknown): string[] | null {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.every((item) => typeof item === "string") ? items : null;
}

function isIn(values: readonly string[], value: unknown): boolean {
  return typeof value === "string" && values.includes(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
