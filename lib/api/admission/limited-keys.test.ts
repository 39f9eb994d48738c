import { describe, expect, test } from "vitest";
import { admit } from "#lib/api/admission/admit";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import { createKeyInput } from "#lib/contract/key/key-inputs";
import { LIMITED_KEY_SCOPES, SCOPES } from "#lib/contract/key/scopes";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey, TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { listKeys } from "#lib/domain/keys/list-keys";
import { rotateKey } from "#lib/domain/keys/rotate-key";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const workspace = await addWorkspace();
await addAction(workspace, { slug: "refund" });

const BEYOND = SCOPES.filter((scope) => !LIMITED_KEY_SCOPES.includes(scope));
const scopesOf = async (rawKey: string) =>
  (await admit(new Headers({ authorization: `Bearer ${rawKey}` }))).caller.scopes;

describe("a key limited to action_slugs", () => {
  test("holds no workflow, connector or approval scopes", () => {
    expect(BEYOND.map((scope) => scope.split(":")[0])).toEqual([
      "approvals",
      "connectors",
      "connectors",
      "workflows",
      "workflows",
      "workflows",
    ]);
  });

  test.each(BEYOND)(
    "is refused with %s, by the input and by the use case, naming the field and the fix",
    async (scope) => {
      const words = `a key limited to action_slugs cannot hold ${scope}. Use actions:read, actions:run, runs:read, or leave out action_slugs`;
      const parsed = createKeyInput.safeParse({ name: "Bot", scopes: ["runs:read", scope], action_slugs: ["refund"] });
      expect(parsed.error?.issues).toMatchObject([{ path: ["scopes"], message: words }]);
      const error = await errorOf(addKey(workspace, { scopes: ["runs:read", scope], actionSlugs: ["refund"] }));
      expect([error.code, error.message]).toEqual(["BAD_REQUEST", `scopes: ${words}`]);
    },
  );

  test("has the default scopes that it may hold if none are named", async () => {
    const made = await addKey(workspace, { actionSlugs: ["refund"] });
    expect(made.scopes).toEqual(LIMITED_KEY_SCOPES);
  });

  test("that was created with other scopes has lost them, in use, in the list and after a rotation", async () => {
    const made = await addKey(workspace, { actionSlugs: ["refund"] });
    await db().query("update api_keys set scopes = $2 where id = $1", [made.key_id, [...SCOPES]]);
    expect(await scopesOf(made.raw_key)).toEqual(LIMITED_KEY_SCOPES);
    const listed = (await listKeys(workspace.workspaceId, { limit: 100 })).data;
    expect(listed.find((item) => item.key_id === made.key_id)?.scopes).toEqual(LIMITED_KEY_SCOPES);
    const next = await rotateKey({ workspaceId: workspace.workspaceId, keyId: made.key_id, actor: TEST_ACTOR });
    expect(await scopesOf(next.raw_key)).toEqual(LIMITED_KEY_SCOPES);
  });

  test("keys without a limit keep every scope", async () => {
    const made = await addKey(workspace, { scopes: [...SCOPES] });
    expect(await scopesOf(made.raw_key)).toEqual(SCOPES);
  });
});
