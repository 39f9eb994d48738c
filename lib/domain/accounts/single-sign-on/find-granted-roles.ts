import type { GroupRole } from "#lib/contract/account/sso";
import { ROLES, type Role } from "#lib/contract/workspace/roles";
import type { OidcProvider } from "#lib/platform/config/oidc-provider-setting";
import { array, enumOf, jsonb, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

/** The groups of a person, as their provider reports them. */
export type ProviderGroups =
  | { status: "known"; groups: readonly string[] }
  /**
   * The provider sent no such claim, left it out because the person is in too many groups, or sent something else than
   * names.
   */
  | { status: "missing" | "overage" | "unreadable"; claim: string };

interface ProvenPerson {
  groups: ProviderGroups;
  /** Normalized; null unless the provider has verified it. */
  email: string | null;
}

const RULE = {
  workspace_id: uuid,
  slug: text,
  group_roles: jsonb<GroupRole[]>(),
  default_role: nullable(enumOf(ROLES)),
  email_domains: array(text),
};
type Rule = RowOf<typeof RULE>;

const selectRules = defineStatement({
  name: "list_sso_rules",
  params: { provider: text, issuer: text },
  row: RULE,
  sql: `select s.workspace_id, w.slug, s.group_roles, s.default_role, s.email_domains
        from workspace_sso s join workspaces w on w.id = s.workspace_id
        where s.provider = $1 and coalesce(s.issuer, $2) = $2 order by s.workspace_id`,
  isPrepared: false,
});

export interface Grants {
  /** The role in each workspace that lets the person in. */
  roles: Map<string, Role>;
  /**
   * The workspaces whose rule depends on groups that the provider did not send. They let no one in, and memberships
   * there stay as they are: without its groups, a person would lose every role that a group gives them. A person who
   * has such a membership can't sign in.
   */
  undecided: Set<string>;
  /** Refuses a person who has a role by groups, or no other way in; null if all rules are decided. */
  refusal: { status: `groups_${Exclude<ProviderGroups["status"], "known">}`; claim: string } | null;
  /** False if no workspace uses the provider. */
  hasRules: boolean;
}

/**
 * Finds the workspaces that let a person of a provider in, and in which role. A rule that was saved for another issuer of
 * the same name lets no one in. Each rule decides only about its own
 * workspace: an admin must not be able to stop the sign-ins of other workspaces by mapping groups.
 */
export async function findGrantedRoles(db: Db, provider: OidcProvider, person: ProvenPerson): Promise<Grants> {
  const all = await selectRules.all(db, { provider: provider.name, issuer: provider.issuer });
  const rules = all.filter(({ slug }) => provider.workspaces?.includes(slug) ?? true);
  const { groups, email } = person;
  const roles = new Map<string, Role>();
  const undecided = new Set<string>();
  for (const rule of rules.filter((one) => isAllowed(one, email))) {
    if (groups.status !== "known" && rule.group_roles.length > 0) {
      undecided.add(rule.workspace_id);
      continue;
    }
    const role = roleOf(rule, groups.status === "known" ? groups.groups : []);
    if (role !== null) roles.set(rule.workspace_id, role);
  }
  const isRefusable = groups.status !== "known" && undecided.size > 0;
  const refusal = isRefusable ? ({ status: `groups_${groups.status}`, claim: groups.claim } as const) : null;
  return { roles, undecided, refusal, hasRules: rules.length > 0 };
}

/** Returns whether the person has an address in a domain of the rule, if it names any. */
function isAllowed({ email_domains: domains }: Rule, email: string | null): boolean {
  const domain = email?.split("@")[1];
  return domains.length === 0 || (domain !== undefined && domains.includes(domain));
}

/** Returns the highest role that a group of the person has, or else the default role. */
function roleOf(rule: Rule, groups: readonly string[]): Role | null {
  const granted = rule.group_roles.filter(({ group }) => groups.includes(group)).map(({ role }) => role);
  const highest = ROLES.filter((role) => granted.some((one) => one === role)).at(-1);
  return highest ?? rule.default_role;
}
