import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { WorkflowNotice } from "#lib/contract/workflow/presence";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { eventually } from "#lib/support/eventually.fixture";
import { testNode } from "@/components/canvas/document/test-definition";
import { PresenceList } from "@/components/canvas/presence/presence-list";
import { usePresence } from "@/components/canvas/presence/use-presence";
import { renderCanvas } from "@/components/canvas/store/render-canvas.fixture";
import { secondsAgo } from "@/components/testing/page.fixture";

const BEA = { type: "user", id: "b", name: "Bea Lee" } as const;
const AGENT = { type: "api_key", id: "k", name: "Builder" } as const;

/** A stream whose notices the test sends. */
class TestStream extends EventTarget {
  static readonly CLOSED = 2;
  static newest: TestStream | null = null;
  readonly readyState = 1;
  constructor() {
    super();
    TestStream.newest = this;
  }
  close(): void {}
}

const send = (changes: Partial<WorkflowNotice>) => {
  const notice = { workflow_id: "w1", kind: "here", actor: BEA, client_id: "c-bea", revision: null, ...changes };
  const data = JSON.stringify(notice);
  act(() => void TestStream.newest?.dispatchEvent(new MessageEvent("workflow_notice", { data })));
};

function Presence() {
  usePresence();
  return (
    <>
      <PresenceList />
      <input aria-label="A field" />
    </>
  );
}

/** The server's draft, one revision later and with one more step. */
const THEIRS = {
  workflow_id: "w1",
  name: "Refunds",
  draft_revision: 2,
  updated_at: secondsAgo(0),
  definition: { nodes: [testNode("start", "action_input", 0, 0), testNode("wait", "delay", 0, 200)], edges: [] },
  notes: [],
  trigger: null,
  action: null,
} as Partial<WorkflowDetailObject> as WorkflowDetailObject;

function renderPresence() {
  vi.stubGlobal("EventSource", TestStream);
  return renderCanvas(() => <Presence />, {
    nodes: [testNode("start", "action_input", 0, 0)],
    prepare: (server) => {
      server.answer("tell_presence", ({ workflow_id, is_here }) => ({ workflow_id, is_here }));
      server.answer("get_workflow", THEIRS);
    },
  });
}
const people = () => screen.queryAllByRole("button").map((mark) => mark.getAttribute("aria-label"));
const stepIds = ({ editor }: ReturnType<typeof renderPresence>) =>
  editor.getState().definition.nodes.map(({ id }) => id);

test("opening a workflow notifies the others, and leaving it sends a goodbye", async () => {
  const { server, unmount } = renderPresence();
  await eventually(() => expect(server.sent("tell_presence")).toMatchObject([{ workflow_id: "w1", is_here: true }]));
  unmount();
  await eventually(() => expect(server.sent("tell_presence").at(-1)).toMatchObject({ is_here: false }));
  const clients = new Set(server.sent("tell_presence").map(({ client_id }) => client_id));
  expect(clients.size).toBe(1);
});

test("a person who opens the workflow is shown until they leave, and is answered once", async () => {
  const { server } = renderPresence();
  send({});
  expect(people()).toEqual([expect.stringContaining("Bea Lee")]);
  await eventually(() => expect(server.sent("tell_presence")).toHaveLength(2));
  send({});
  send({ kind: "left" });
  expect(people()).toEqual([]);
  expect(server.sent("tell_presence")).toHaveLength(2);
});

test("when one of a person's two pages closes, the person is still shown", () => {
  renderPresence();
  send({});
  send({ client_id: "c-bea-2" });
  expect(people()).toHaveLength(1);
  send({ kind: "left" });
  expect(people()).toHaveLength(1);
});

test("people on other workflows, and this page itself, are not shown", async () => {
  const { server } = renderPresence();
  await eventually(() => expect(server.sent("tell_presence")).toHaveLength(1));
  send({ workflow_id: "w2" });
  send({ client_id: server.sent("tell_presence")[0]?.client_id ?? "" });
  expect(people()).toEqual([]);
});

test("an agent's change is shown without a reload, with the agent's name", async () => {
  const page = renderPresence();
  send({ kind: "changed", actor: AGENT, client_id: null, revision: 2 });
  await screen.findByText(/Builder changed/);
  expect(stepIds(page)).toEqual(["start", "wait"]);
  expect(people().join()).toContain("Builder");
});

test("a change by the same person in another window is labeled as their own", async () => {
  renderPresence();
  const own = { type: "user", id: "11111111-1111-4111-8111-111111111111", name: "Ann" } as const;
  send({ kind: "changed", actor: own, client_id: "c-other", revision: 2 });
  await screen.findByText(/One of your other tabs/);
});

test("a change never replaces text that is being typed or changes that are not saved", async () => {
  vi.useFakeTimers();
  const page = renderPresence();
  act(() => screen.getByRole("textbox").focus());
  send({ kind: "changed", revision: 2 });
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(stepIds(page)).toEqual(["start"]);
  act(() => {
    screen.getByRole("textbox").blur();
    page.session.draft.setState({ status: { kind: "unsaved" } });
  });
  send({ kind: "changed", revision: 2 });
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(stepIds(page)).toEqual(["start"]);
  expect(page.server.sent("get_workflow")).toEqual([]);
});

test("a notice of a known revision changes nothing", async () => {
  vi.useFakeTimers();
  const page = renderPresence();
  send({ kind: "changed", revision: 1 });
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(page.server.sent("get_workflow")).toEqual([]);
});

test("a page that stopped reporting is removed", async () => {
  vi.useFakeTimers();
  renderPresence();
  send({});
  expect(people()).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(80_000));
  expect(people()).toEqual([]);
});
