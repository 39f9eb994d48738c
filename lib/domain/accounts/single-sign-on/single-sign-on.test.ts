import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Role } from "#lib/contract/workspace/roles";
import { addSession } from "#lib/domain/accounts/session.fixture";
import { lockSignUps } from "#lib/domain/accounts/sign-up";
import type { ProviderGroups } from "#lib/domain/accounts/single-sign-on/find-granted-roles";
import { getSso } from "#lib/domain/accounts/single-sign-on/get-sso";
import { resetRequiredSso, setRequiredSso, setSsoRule } from "#lib/domain/accounts/single-sign-on/set-sso-rule";
import { signInWithProvider } from "#lib/domain/accounts/single-sign-on/sign-in-with-provider";
import { addKey } from "#lib/domain/keys/key.fixture";
import { createInvite } from "#lib/domain/workspaces/invites/create-invite";
import { addMember } from "#lib/domain/workspaces/member.fixture";
import { setMemberRole } from "#lib/domain/workspaces/set-member-role";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { env } from "#lib/platform/config/env";
import { oidcProvidersSchema } from "#lib/platform/config/oidc-provider-setting";
import { db } from "#lib/platform/db/pool";
import { prismaTransaction } from "#lib/platform/db/prisma";
import { emptyTables, useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();

const ISSUER = "https://id.example.com";
const PROVIDER = { name: "company", label: "Company", issuer: ISSUER, client_id: "signalbox" };
let acme: TestWorkspace;
let change: {
  workspaceId: string;
  actor: { type: "user"; id: string; name: string };
  actorUserId: string;
  sessionId: string;
};

beforeEach(async () => {
  env().OIDC_PROVIDERS = oidcProvidersSchema.parse([PROVIDER]);
  acme = await addWorkspace();
  const { sessionId } = await addSession(acme.userId);
  const actor = { type: "user" as const, id: acme.userId, name: "Owner" };
  change = { workspaceId: acme.workspaceId, actor, actorUserId: acme.userId, sessionId };
  await db().query("update user_sessions set provider = 'company'");
  await connect(acme.userId, ["admins"]);
});
afterEach(async () => {
  env().OIDC_PROVIDERS = [];
  env().ALLOW_SIGNUP = false;
  await emptyTables("users", "workspaces");
});

/** Connects an account with the provider, as its last sign-in would. */
async function connect(userId: string, groups: string[] | null): Promise<void> {
  await db().query(
    "insert into user_identities (provider, subject, user_id, email, groups) values ('oidc', $1, $2, '', $3)",
    [`${ISSUER}|${userId}`, userId, groups],
  );
}

const RULE = {
  provider: "company",
  group_roles: [
    { group: "support", role: "viewer" as const },
    { group: "platform", role: "editor" as const },
  ],
  default_role: null,
  email_domains: [] as string[],
};

const known = (...groups: string[]): ProviderGroups => ({ status: "known", groups });

function signIn(groups: ProviderGroups, email = "ann@example.com") {
  const membership = { service: "company", groups };
  return signInWithProvider({
    provider: "oidc",
    subject: `${ISSUER}|ann`,
    verifiedEmail: email,
    name: "Ann",
    membership,
  });
}

async function roleOfAnn(): Promise<Role | null> {
  const { rows } = await db().query<{ role: Role }>(
    `select m.role from workspace_members m join users u on u.id = m.user_id
     where m.workspace_id = $1 and u.email = 'ann@example.com'`,
    [acme.workspaceId],
  );
  return rows[0]?.role ?? null;
}

async function audited(): Promise<string[]> {
  const { rows } = await db().query<{ action: string }>(
    "select action from audit_events where workspace_id = $1 and actor_type = 'system' order by id",
    [acme.workspaceId],
  );
  return rows.map(({ action }) => action);
}

/** Lets everyone of the provider into another workspace. */
async function ruleForEveryone(): Promise<void> {
  const insert = "insert into workspace_sso (workspace_id, provider, default_role) values ($1, 'company', 'editor')";
  await db().query(insert, [(await addWorkspace()).workspaceId]);
}

describe("memberships from groups", () => {
  test("a group gives a new person an account and its role, and each sign-in brings the role up to date", async () => {
    await setSsoRule(change, RULE);
    expect(await signIn(known("other"))).toMatchObject({ status: "no_access" });
    expect(await signIn(known("support", "other"))).toMatchObject({ status: "signed_in", name: "Ann" });
    expect(await roleOfAnn()).toBe("viewer");
    await signIn(known("support", "platform"));
    expect(await roleOfAnn()).toBe("editor");
    await signIn(known("support"));
    expect(await roleOfAnn()).toBe("viewer");
    expect(await signIn(known())).toMatchObject({ status: "no_workspace" });
    expect(await roleOfAnn()).toBeNull();
    expect(await audited()).toEqual(["member.joined", "member.role_changed", "member.role_changed", "member.removed"]);
  });

  test("the keys of a person whose group is gone are revoked", async () => {
    await setSsoRule(change, RULE);
    const outcome = await signIn(known("platform"));
    const userId = outcome.status === "signed_in" ? outcome.userId : "";
    await addKey({ ...acme, userId });
    await signIn(known());
    const { rows } = await db().query("select is_active from api_keys where created_by = $1", [userId]);
    expect(rows).toEqual([{ is_active: false }]);
  });

  test.each([true, false])("an invite waits if a group lets a new person in; sign-up is open: %s", async (isOpen) => {
    env().ALLOW_SIGNUP = isOpen;
    const strangers = await addWorkspace();
    const { userId: actorUserId, workspaceId } = strangers;
    const actor = { type: "user" as const, id: actorUserId, name: "Owner" };
    await createInvite({ workspaceId, actor, actorUserId, email: "ann@example.com", role: "editor" });
    await setSsoRule(change, RULE);
    expect(await signIn(known("support"))).toMatchObject({ status: "signed_in" });
    const { rows } = await db().query(
      "select m.workspace_id, m.role from workspace_members m join users u on u.id = m.user_id where u.email = 'ann@example.com'",
    );
    expect(rows).toEqual([{ workspace_id: acme.workspaceId, role: "viewer" }]);
  });

  test("a membership that people made stays as it is", async () => {
    await setSsoRule(change, RULE);
    const ann = await addMember(acme.workspaceId, "admin");
    await db().query("update users set email = 'ann@example.com', password_hash = null where id = $1", [ann.userId]);
    await signIn(known("support"));
    expect(await roleOfAnn()).toBe("admin");
    await signIn(known());
    expect(await roleOfAnn()).toBe("admin");
  });

  test("a role that a group gives cannot be changed by hand, but its holder can be made an owner", async () => {
    await setSsoRule(change, RULE);
    const outcome = await signIn(known("support"));
    const userId = outcome.status === "signed_in" ? outcome.userId : "";
    const request = { workspaceId: acme.workspaceId, actor: change.actor, actorUserId: acme.userId, userId };
    await expect(setMemberRole({ ...request, role: "admin" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await setMemberRole({ ...request, role: "owner" });
    await signIn(known());
    expect(await roleOfAnn()).toBe("owner");
  });

  test("the default role is for people of the allowed domains alone", async () => {
    await setSsoRule(change, { ...RULE, default_role: "approver", email_domains: ["example.com"] });
    expect(await signIn(known(), "ann@example.org")).toMatchObject({ status: "no_access" });
    await signIn(known());
    expect(await roleOfAnn()).toBe("approver");
  });

  describe.each(["missing", "overage"] as const)("groups that are %s", (status) => {
    const unknown: ProviderGroups = { status, claim: "groups" };

    test("refuse a person who has access or a role by groups, also if another workspace would let them in", async () => {
      await setSsoRule(change, RULE);
      expect(await signIn(unknown)).toEqual({ status: `groups_${status}`, claim: "groups" });
      await signIn(known("support"));
      await ruleForEveryone();
      expect(await signIn(unknown)).toEqual({ status: `groups_${status}`, claim: "groups" });
      expect(await roleOfAnn()).toBe("viewer");
      expect(await audited()).toEqual(["member.joined"]);
    });

    test("do not stop the sign-in of a person who has no role by groups", async () => {
      await setSsoRule(change, RULE);
      await ruleForEveryone();
      expect(await signIn(unknown)).toMatchObject({ status: "signed_in" });
      expect(await roleOfAnn()).toBeNull();
    });

    test("do not stop the sign-in of a person who was invited, or of anyone if sign-up is open", async () => {
      await setSsoRule(change, RULE);
      const { actor, actorUserId, workspaceId } = change;
      await createInvite({ workspaceId, actor, actorUserId, email: "ann@example.com", role: "approver" });
      expect(await signIn(unknown)).toMatchObject({ status: "signed_in" });
      expect(await roleOfAnn()).toBe("approver");
      await db().query("delete from users where email = 'ann@example.com'");
      env().ALLOW_SIGNUP = true;
      expect(await signIn(unknown)).toMatchObject({ status: "signed_in" });
      expect(await roleOfAnn()).toBeNull();
    });
  });

  test("two first sign-ins of a person at the same moment make one account and one membership", async () => {
    await setSsoRule(change, RULE);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const holder = prismaTransaction(async (tx) => {
      await lockSignUps(tx);
      await released;
    });
    const signIns = Promise.all([signIn(known("support")), signIn(known("support"))]);
    // Both have found no account before either of them continues.
    await eventually(async () => {
      const { rows } = await db().query(
        `select count(*)::int as waiting from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
      );
      expect(rows).toEqual([{ waiting: 2 }]);
    });
    release();
    await holder;
    const outcomes = await signIns;
    expect(outcomes.map(({ status }) => status)).toEqual(["signed_in", "signed_in"]);
    expect((await audited()).filter((action) => action === "member.joined")).toHaveLength(1);
  });

  test("a rule that was saved for another issuer of the same name lets no one in", async () => {
    await setSsoRule(change, RULE);
    await db().query("update workspace_sso set issuer = 'https://other.example.com'");
    expect(await signIn(known("support"))).toMatchObject({ status: "closed" });
  });

  test("a provider that is limited to other workspaces lets no one in", async () => {
    await setSsoRule(change, RULE);
    env().OIDC_PROVIDERS = oidcProvidersSchema.parse([
      { ...PROVIDER, workspaces: ["another"], email_domains: ["example.com"] },
    ]);
    expect(await signIn(known("support"))).toMatchObject({ status: "closed" });
    expect((await getSso({ ...change, userId: acme.userId })).providers).toEqual([]);
    await expect(setSsoRule(change, RULE)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("the rule of a workspace", () => {
  test("an admin needs a session of the provider, and groups in its last sign-in to map any", async () => {
    await db().query("update user_sessions set provider = null");
    await expect(setSsoRule(change, RULE)).rejects.toThrow("Sign in with Company first");
    await db().query("update user_sessions set provider = 'company'");
    await db().query("update user_identities set groups = null");
    await expect(setSsoRule(change, RULE)).rejects.toThrow('Company sent no claim "groups"');
    await setSsoRule(change, { ...RULE, group_roles: [], default_role: "viewer" });
  });

  test("a change needs a recent sign-in and the role admin", async () => {
    const editor = await addMember(acme.workspaceId, "editor");
    const theirs = { ...change, actor: editor.actor, actorUserId: editor.userId };
    await setSsoRule(change, RULE);
    for (const isRequired of [true, false]) {
      await expect(setRequiredSso(theirs, isRequired)).rejects.toMatchObject({ reason: "role_too_low" });
    }
    await expect(setSsoRule(theirs, RULE)).rejects.toMatchObject({ reason: "role_too_low" });
    await db().query("update user_sessions set verified_at = now() - interval '11 minutes'");
    await expect(setSsoRule(change, RULE)).rejects.toMatchObject({ reason: "confirmation_needed" });
    for (const isRequired of [true, false]) {
      await expect(setRequiredSso(change, isRequired)).rejects.toMatchObject({ reason: "confirmation_needed" });
    }
  });

  test("a workspace that requires its provider cannot switch to another one", async () => {
    const other = { ...PROVIDER, name: "other", label: "Other", issuer: "https://other.example.com" };
    env().OIDC_PROVIDERS = oidcProvidersSchema.parse([PROVIDER, other]);
    await setSsoRule(change, RULE);
    await setRequiredSso(change, true);
    await db().query("update user_sessions set provider = 'other'");
    const another = { ...RULE, provider: "other", group_roles: [], default_role: "viewer" as const };
    await expect(setSsoRule(change, another)).rejects.toThrow("Stop requiring it first");
    await setRequiredSso(change, false);
    await setSsoRule(change, another);
    expect((await getSso({ ...change, userId: acme.userId })).rule).toMatchObject({ provider: "other" });
  });

  test("members stay when the rule is removed, and nothing changes their role afterwards", async () => {
    await setSsoRule(change, RULE);
    await signIn(known("support"));
    await setSsoRule(change, null);
    expect(await signIn(known())).toMatchObject({ status: "signed_in" });
    expect(await roleOfAnn()).toBe("viewer");
  });

  test("only a session of the provider can require it, and the operator can stop it", async () => {
    await expect(setRequiredSso(change, true)).rejects.toThrow("Choose a provider");
    await setSsoRule(change, RULE);
    await db().query("update user_sessions set provider = null");
    await expect(setRequiredSso(change, true)).rejects.toThrow("Sign in with Company first");
    await db().query("update user_sessions set provider = 'company'");
    await setRequiredSso(change, true);
    await expect(setSsoRule(change, null)).rejects.toThrow("Stop requiring it first");
    expect((await getSso({ ...change, userId: acme.userId })).rule).toMatchObject({ is_required: true });
    expect(await resetRequiredSso(acme.workspaceId, { type: "system", id: null, name: null })).toBe(true);
    expect((await getSso({ ...change, userId: acme.userId })).rule).toMatchObject({ is_required: false });
  });
});
