import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addSession } from "#lib/domain/accounts/session.fixture";
import { checkRuleProviders } from "#lib/domain/accounts/single-sign-on/check-rule-providers";
import { setSsoRule } from "#lib/domain/accounts/single-sign-on/set-sso-rule";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { oidcProvidersSchema } from "#lib/platform/config/oidc-provider-setting";
import { db } from "#lib/platform/db/pool";
import { emptyTables, useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const PROVIDER = { name: "company", label: "Company", issuer: "https://id.example.com", client_id: "signalbox" };
const setProvider = (changes: object) => {
  env().OIDC_PROVIDERS = oidcProvidersSchema.parse([{ ...PROVIDER, ...changes }]);
};
const warn = vi.spyOn(log, "warn");

beforeEach(async () => {
  warn.mockClear();
  setProvider({});
  await emptyTables("users", "workspaces");
  const { workspaceId, userId } = await addWorkspace();
  const { sessionId } = await addSession(userId);
  await db().query("update user_sessions set provider = 'company'");
  const actor = { type: "user" as const, id: userId, name: "Owner" };
  const rule = { provider: "company", group_roles: [], default_role: "viewer" as const, email_domains: [] };
  await setSsoRule({ workspaceId, actor, actorUserId: userId, sessionId }, rule);
});
afterEach(() => {
  env().OIDC_PROVIDERS = [];
});

test("a provider that workspaces use keeps its issuer, and everything else about it can change", async () => {
  setProvider({ label: "Another", client_id: "another" });
  await checkRuleProviders();
  setProvider({ issuer: "https://other.example.com" });
  await expect(checkRuleProviders()).rejects.toThrow('the issuer of "company" changed');
  await db().query("update workspace_sso set issuer = null");
  await checkRuleProviders();
  expect(warn).not.toHaveBeenCalled();
});

test("a provider that workspaces use and that is no longer set up is logged with their names", async () => {
  setProvider({ name: "renamed" });
  await checkRuleProviders();
  const { rows } = await db().query("select slug from workspaces");
  const workspaces = rows.map(({ slug }) => slug);
  expect(warn).toHaveBeenCalledExactlyOnceWith({ provider: "company", workspaces }, expect.any(String));
});
