import { describe, expect, test } from "vitest";
import { readStates } from "#lib/support/read-states.fixture";
import { type CanvasState, canvasState } from "@/components/canvas/store/canvas-state";
import type { CanvasEditor } from "@/components/canvas/store/editor-store";
import { openEditor } from "@/components/canvas/store/open-editor.fixture";

type Kind = CanvasState["kind"];

const ACTIONS: Record<string, (editor: CanvasEditor) => void> = {
  "a step": ({ select }) => select(["end"]),
  several: ({ select }) => select(["end", "decline"]),
  "a note": ({ writeNote }) => writeNote("note-a"),
  nothing: ({ select }) => select([]),
  open: ({ open }) => open("end"),
  "open full": ({ openFull }) => openFull("end"),
  "full size": ({ showFullSize }) => showFullSize(true),
  "panel size": ({ showFullSize }) => showFullSize(false),
  close: ({ closePanel }) => closePanel(),
  choose: ({ chooseSeveral }) => chooseSeveral(true),
  done: ({ chooseSeveral }) => chooseSeveral(false),
};

/** How each state is entered. */
const ENTER: Record<Kind, (editor: CanvasEditor) => void> = {
  idle: () => {},
  selected: ({ select }) => select(["refund", "end"]),
  panel: ({ open }) => open("refund"),
  workspace: ({ openFull }) => openFull("refund"),
  choosing: ({ select, chooseSeveral }) => {
    select(["refund"]);
    chooseSeveral(true);
  },
};

/** The next state after each action; actions that are not listed leave the state as it is. */
const TRANSITIONS: Record<Kind, Partial<Record<keyof typeof ACTIONS, Kind>>> = {
  idle: {
    "a step": "panel",
    several: "selected",
    "a note": "selected",
    open: "panel",
    "open full": "workspace",
    choose: "choosing",
  },
  selected: { "a step": "panel", nothing: "idle", open: "panel", "open full": "workspace", choose: "choosing" },
  panel: {
    several: "selected",
    "a note": "selected",
    nothing: "idle",
    "open full": "workspace",
    "full size": "workspace",
    close: "selected",
    choose: "choosing",
    done: "selected",
  },
  workspace: {
    several: "selected",
    "a note": "selected",
    nothing: "idle",
    "panel size": "panel",
    close: "selected",
    choose: "choosing",
    done: "selected",
  },
  choosing: { done: "selected" },
};
const KINDS = Object.keys(TRANSITIONS) as Kind[];
const CASES = KINDS.flatMap((from) =>
  Object.entries(ACTIONS).map(([name, act]) => [from, name, TRANSITIONS[from][name] ?? from, act] as const),
);

describe("the states of the canvas", () => {
  test.each(CASES)("%s, %s: %s", (from, _name, to, act) => {
    const { editor } = openEditor();
    ENTER[from](editor());
    expect(canvasState(editor()).kind).toBe(from);
    act(editor());
    expect(canvasState(editor()).kind).toBe(to);
  });

  test("choosing with nothing selected ends idle", () => {
    const { editor } = openEditor();
    editor().chooseSeveral(true);
    editor().chooseSeveral(false);
    expect(canvasState(editor())).toEqual({ kind: "idle" });
  });

  test("the diagram in the README shows these transitions", () => {
    const drawn = readStates("components/canvas/store/README.md", "### Selection");
    const changes = CASES.filter(([from, , to]) => from !== to).map(([from, , to]) => `${from} --> ${to}`);
    expect(drawn.map(({ from, to }) => `${from} --> ${to}`).toSorted()).toEqual(
      [...new Set([...changes, "choosing --> idle"])].toSorted(),
    );
  });
});
