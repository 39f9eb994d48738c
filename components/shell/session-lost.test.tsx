import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { useHasRole, useSession } from "@/components/shell/session-context";
import { sampleAction } from "@/components/testing/action.fixture";
import { renderPage } from "@/components/testing/render-page.fixture";
import { watchLeaving } from "@/components/testing/watch-leaving.fixture";

/** A page that reads one thing and offers an act to editors. */
function ActionPage() {
  const action = useOperation("get_action", { slug: "refund" });
  const pause = useOperationMutation("set_action_status", {});
  const { user, workspace } = useSession();
  const canEdit = useHasRole("editor");
  return (
    <>
      <h1>{action.data?.name}</h1>
      <p>
        {user.name} in {workspace.name}
      </p>
      {canEdit ? (
        <button type="button" onClick={() => pause.mutate({ slug: "refund", status: "paused" })}>
          Pause
        </button>
      ) : null}
      {pause.error === null ? null : <p role="alert">{pause.error.message}</p>}
    </>
  );
}

const OTHER = "33333333-3333-4333-8333-333333333333";
const LOST = { code: "UNAUTHORIZED", message: "Sign in first." } as const;

test("a session that ended while a page was open leads to sign in, and back to that page", async () => {
  const leave = watchLeaving();
  renderPage(<ActionPage />, {
    address: "/actions/refund?tab=runs",
    prepare: (server) => server.refuse("get_action", LOST),
  });
  await eventually(() =>
    expect(leave).toHaveBeenCalledExactlyOnceWith("/sign-in?callbackUrl=%2Factions%2Frefund%3Ftab%3Druns"),
  );
});

test("a change that meets an ended session leads to sign in as well", async () => {
  const leave = watchLeaving();
  const { user, server } = renderPage(<ActionPage />, {
    address: "/actions/refund",
    prepare: (fake) => fake.answer("get_action", sampleAction()),
  });
  server.refuse("set_action_status", LOST);
  await user.click(await screen.findByRole("button", { name: "Pause" }));
  await eventually(() => expect(leave).toHaveBeenCalledExactlyOnceWith("/sign-in?callbackUrl=%2Factions%2Frefund"));
});

test("a workspace that requires two-step verification meanwhile leads to where it is set up, and back", async () => {
  const leave = watchLeaving();
  renderPage(<ActionPage />, {
    address: "/actions/refund?tab=runs",
    prepare: (server) => server.refuse("get_action", { code: "two_step_required", message: "Set it up." }),
  });
  const workspace = "workspace=22222222-2222-4222-8222-222222222222";
  const page = `/two-step?${workspace}&callbackUrl=%2Factions%2Frefund%3Ftab%3Druns`;
  await eventually(() => expect(leave).toHaveBeenCalledExactlyOnceWith(page));
});

test("a refusal by another workspace than the page's leads to the provider of the one that refuses", async () => {
  const leave = watchLeaving();
  const refusal = { code: "sso_required", message: "Acme requires it.", details: { workspace_id: OTHER } } as const;
  renderPage(<ActionPage />, {
    address: "/actions/refund",
    prepare: (server) => server.refuse("get_action", refusal),
  });
  const page = `/sso?workspace=${OTHER}&callbackUrl=%2Factions%2Frefund`;
  await eventually(() => expect(leave).toHaveBeenCalledExactlyOnceWith(page));
});

test("a refusal for want of a role keeps the page open and takes away what the role does not allow", async () => {
  const leave = watchLeaving();
  const { user, server } = renderPage(<ActionPage />, {
    session: { role: "editor" },
    prepare: (fake) => fake.answer("get_action", sampleAction()),
  });
  server.refuse("set_action_status", { code: "FORBIDDEN", message: "You need the editor role." });
  server.answer("get_session", {
    user: { user_id: "11111111-1111-4111-8111-111111111111", name: "Ann", email: "ann@example.com" },
    workspace: {
      workspace_id: "22222222-2222-4222-8222-222222222222",
      slug: "acme",
      name: "Acme",
      plan: "free",
      time_zone: "UTC",
    },
    role: "viewer",
    base_url: "https://signalbox.example",
  });
  await user.click(await screen.findByRole("button", { name: "Pause" }));
  await screen.findByText("You need the editor role.");
  await eventually(() => expect(screen.queryByRole("button", { name: "Pause" })).toBeNull());
  expect(leave).not.toHaveBeenCalled();
});

test("an answer that says nothing is shown as a failure of the server, not as the end of the session", async () => {
  const leave = watchLeaving();
  const { user, server } = renderPage(<ActionPage />, {
    prepare: (fake) => fake.answer("get_action", sampleAction()),
  });
  server.answerPath("/api/web/set_action_status", 503, "Service unavailable");
  await user.click(await screen.findByRole("button", { name: "Pause" }));
  expect((await screen.findByRole("alert")).textContent).toContain("503");
  expect(leave).not.toHaveBeenCalled();
});
