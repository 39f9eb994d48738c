import { expect, test } from "vitest";
import type { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { SavedViewSettings } from "#lib/contract/run/run-list";
import { createSavedView } from "#lib/domain/runs/views/create-saved-view";
import { deleteSavedView } from "#lib/domain/runs/views/delete-saved-view";
import { listSavedViews } from "#lib/domain/runs/views/list-saved-views";
import type { ViewCaller } from "#lib/domain/runs/views/saved-view-row";
import { updateSavedView } from "#lib/domain/runs/views/update-saved-view";
import { newEditor } from "#lib/domain/workflows/workflow.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

const SETTINGS: SavedViewSettings = { filters: { status: "failed", range: "24h" }, columns: ["caller"], order: "asc" };

const editorOf = async (name: string): Promise<ViewCaller> => {
  const { workspaceId, userId } = await newEditor(name);
  return { workspaceId, userId, isEditor: true };
};
const [ann, stranger] = [await editorOf("ann"), await editorOf("eve")];
const { userId } = await editorOf("bob");
await db().query("insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'viewer')", [
  ann.workspaceId,
  userId,
]);
const bob: ViewCaller = { workspaceId: ann.workspaceId, userId, isEditor: false };

const codeOf = (promise: Promise<unknown>) => promise.catch((error: ApiError) => error.code);
const namesOf = async ({ workspaceId, userId }: ViewCaller) =>
  (await listSavedViews(workspaceId, userId)).map(({ name }) => name);

test("a personal view is seen by its owner alone, a shared one by everyone in the workspace and no one else", async () => {
  const own = await createSavedView(ann, { name: "Mine", isShared: false, settings: SETTINGS });
  expect(own).toMatchObject({ name: "Mine", is_shared: false, settings: SETTINGS });
  await createSavedView(ann, { name: "Ours", isShared: true, settings: SETTINGS });
  expect(await namesOf(ann)).toEqual(["Mine", "Ours"]);
  expect(await namesOf(bob)).toEqual(["Ours"]);
  expect(await namesOf(stranger)).toEqual([]);
  for (const other of [bob, stranger]) {
    expect(await codeOf(updateSavedView(other, own.view_id, { name: "Theirs" }))).toBe("NOT_FOUND");
    expect(await codeOf(deleteSavedView(other, own.view_id))).toBe("NOT_FOUND");
  }
});

test("a viewer saves views for themselves, and neither shares nor changes those of the workspace", async () => {
  const shared = await createSavedView(ann, { name: "Team", isShared: true, settings: SETTINGS });
  expect(await codeOf(createSavedView(bob, { name: "Bob's", isShared: true, settings: SETTINGS }))).toBe("FORBIDDEN");
  expect(await codeOf(updateSavedView(bob, shared.view_id, { name: "Bob's" }))).toBe("FORBIDDEN");
  expect(await codeOf(deleteSavedView(bob, shared.view_id))).toBe("FORBIDDEN");
  expect(await codeOf(deleteSavedView(stranger, shared.view_id))).toBe("NOT_FOUND");
  const own = await createSavedView(bob, { name: "Team", isShared: false, settings: SETTINGS });
  await deleteSavedView(bob, own.view_id);
  await deleteSavedView(ann, shared.view_id);
});

test("a view can be renamed and replaced, and a name is used once per person and once per workspace", async () => {
  const view = await createSavedView(ann, { name: "Failed", isShared: false, settings: SETTINGS });
  const replaced = { ...SETTINGS, filters: { source: "webhook" } };
  expect(await updateSavedView(ann, view.view_id, { name: "Webhooks", settings: replaced })).toMatchObject({
    name: "Webhooks",
    settings: replaced,
  });
  const again = await createSavedView(ann, { name: "Failed", isShared: false, settings: SETTINGS });
  const taken = await updateSavedView(ann, again.view_id, { name: "Webhooks" }).catch((error: ApiError) => error);
  expect(taken).toMatchObject({ code: "BAD_REQUEST", details: [{ field: "name" }] });
  expect(await codeOf(createSavedView(ann, { name: "Failed", isShared: false, settings: SETTINGS }))).toBe(
    "BAD_REQUEST",
  );
  await createSavedView(ann, { name: "Failed", isShared: true, settings: SETTINGS });
});

test("views saved at the same moment stay within the limit", async () => {
  const { workspaceId, userId } = await newEditor("busy");
  const busy = { workspaceId, userId, isEditor: true };
  await db().query(
    `insert into saved_views (id, workspace_id, user_id, name, settings)
     select gen_random_uuid(), $1, $2, 'View ' || n, '{}' from generate_series(2, $3::int) n`,
    [workspaceId, userId, LIMITS.savedViews],
  );
  const save = (name: string) => codeOf(createSavedView(busy, { name, isShared: false, settings: SETTINGS }));
  const outcomes = await Promise.all([save("a"), save("b"), save("c")]);
  expect(outcomes.filter((outcome) => outcome === "BAD_REQUEST")).toHaveLength(2);
  // The workspace's views are counted on their own, and settings that no release wrote show the plain list.
  expect(await codeOf(createSavedView(busy, { name: "a", isShared: true, settings: SETTINGS }))).not.toBe(
    "BAD_REQUEST",
  );
  expect((await listSavedViews(workspaceId, userId))[0]?.settings).toBeDefined();
});

test("a person who leaves the workspace leaves no personal views behind", async () => {
  const userId = (await newEditor("gone")).userId;
  await db().query("insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'viewer')", [
    ann.workspaceId,
    userId,
  ]);
  const gone = { workspaceId: ann.workspaceId, userId, isEditor: false };
  const { view_id: id } = await createSavedView(gone, { name: uuidv7(), isShared: false, settings: SETTINGS });
  await db().query("delete from workspace_members where user_id = $1 and workspace_id = $2", [userId, ann.workspaceId]);
  expect((await db().query("select 1 from saved_views where id = $1", [id])).rows).toEqual([]);
});
