import { ROLES, type Role } from "#lib/contract/roles";
import type { GroupRole } from "#lib/contract/web/sso";
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
  params: { provider: text },
  row: RULE,
  sql: `select s.workspace_id, w.slug, s.group_roles, s.default_role, s.email_domains
        from workspace_sso s join workspaces w on w.id = s.workspace_id
        where s.provider = $1 order by s.workspace_id`,
  isPrepared: false,
});

export type Grants =
  /** The role in each workspace that lets the person in; `hasRules` is false if no workspace uses the provider. */
  | { status: "granted"; roles: Map<string, Role>; hasRules: boolean }
  | { status: `groups_${Exclude<ProviderGroups["status"], "known">}`; claim: string };

/** Finds the workspaces that let a person of a provider in, and in which role. */
export async function findGrantedRoles(db: Db, provider: OidcProvider, person: ProvenPerson): Promise<Grants> {
  const all = await selectRules.all(db, { provider: provider.name });
  const rules = all.filter(({ slug }) => provider.workspaces?.includes(slug) ?? true);
  const { groups } = person;
  // Without its groups, a person would lose every role that a group gives them.
  if (groups.status !== "known" && rules.some((rule) => rule.group_roles.length > 0)) {
    return { status: `groups_${groups.status}`, claim: groups.claim };
  }
  const roles = new Map<string, Role>();
  for (const rule of rules) {
    const role = roleOf(rule, person);
    if (role !== null) roles.set(rule.workspace_id, role);
  }
  return { status: "granted", roles, hasRules: rules.length > 0 };
}

/** Returns the highest role that a group of the person has, or else the default role. */
function roleOf(rule: Rule, { groups, email }: ProvenPerson): Role | null {
  const domain = email?.split("@")[1] ?? null;
  if (rule.email_domains.length > 0 && (domain === null || !rule.email_domains.includes(domain))) return null;
  const own = groups.status === "known" ? groups.groups : [];
  const granted = rule.group_roles.filter(({ group }) => own.includes(group)).map(({ role }) => role);
  const highest = ROLES.filter((role) => granted.some((one) => one === role)).at(-1);
  return highest ?? rule.default_role;
}
