import { findOidcProvider } from "#lib/domain/accounts/list-sign-in-services";
import { log } from "#lib/platform/config/log";
import { nullable, type RowOf, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const RULE = { slug: text, provider: text, issuer: nullable(text) };

const selectRules = defineStatement({
  name: "list_sso_rule_providers",
  params: {},
  row: RULE,
  sql: `select w.slug, s.provider, s.issuer from workspace_sso s join workspaces w on w.id = s.workspace_id
        order by w.slug`,
  isPrepared: false,
});

/**
 * Compares the providers that workspaces use with those that are set up. Rules, memberships and sessions name a provider
 * by its name alone, so a name that comes to mean another issuer would give that issuer's people the memberships and
 * the workspaces of the old one. A name that is missing only keeps people out, which the log says.
 * @throws Error if a name has another issuer than the workspaces chose
 */
export async function checkRuleProviders(): Promise<void> {
  const rules = await findRules();
  const missing = rules.filter(({ provider }) => findOidcProvider(provider) === null);
  for (const [provider, of] of Map.groupBy(missing, (rule) => rule.provider)) {
    const workspaces = of.map(({ slug }) => slug);
    log.warn({ provider, workspaces }, "workspaces use a provider that OIDC_PROVIDERS does not contain");
  }
  const changed = rules.find(({ provider, issuer }) => {
    const current = findOidcProvider(provider)?.issuer ?? null;
    return issuer !== null && current !== null && issuer !== current;
  });
  if (!changed) return;
  const { slug, provider, issuer } = changed;
  throw new Error(
    `OIDC_PROVIDERS: the issuer of "${provider}" changed, and the workspace ${slug} uses it with ${issuer}. Give the new issuer another name.`,
  );
}

/** Without its database, the server starts and reports that it is not ready. */
async function findRules(): Promise<RowOf<typeof RULE>[]> {
  try {
    return await selectRules.all(db());
  } catch (error) {
    log.warn({ err: error }, "the providers of the workspaces could not be checked");
    return [];
  }
}
