import { useQueryClient } from "@tanstack/react-query";
import type { RefObject } from "react";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { tidy } from "@/components/canvas/actions/canvas-actions";
import { loadCopyToNew } from "@/components/canvas/actions/load-actions";
import { choicesFor, setForSelected } from "@/components/canvas/actions/set-for-selected";
import { disableWord, toggleDisabled } from "@/components/canvas/actions/toggle-disabled";
import { TURN_WORDS, turnDrawing } from "@/components/canvas/actions/turn-drawing";
import { analyse } from "@/components/canvas/document/analysis";
import { openPickerInView, spotForNew } from "@/components/canvas/editor/use-canvas-controls";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useDraftSession } from "@/components/canvas/store/draft-context";
import type { DraftSession } from "@/components/canvas/store/open-draft";
import { withTestCode } from "@/components/canvas/testing/with-test-code";
import { useReactFlow } from "@/components/canvas/view/flow";
import { type PaletteCommand, useCommandSource } from "@/components/shell/command-sources";
import { withCode } from "@/components/ui/with-code";

interface Doors {
  publish: () => void;
  find: () => void;
}

/**
 * Returns the command palette entries of the open workflow: its steps, the steps that can be added, and the actions.
 */
export function useCanvasCommands(controls: RefObject<CanvasControls>, { publish, find }: Doors): void {
  const session = useDraftSession();
  const { screenToFlowPosition } = useReactFlow();
  const queryClient = useQueryClient();
  useCommandSource(
    () => [...stepCommands(session, controls), ...deedCommands(session, controls, { publish, find })],
    async () => {
      const { loadAddCommands } = await import("@/components/canvas/editor/add-step-commands");
      const { editor } = session;
      return loadAddCommands(queryClient, editor, {
        findSpot: () => spotForNew(editor, screenToFlowPosition),
        openApp: (app) => openPickerInView(editor, screenToFlowPosition, app),
      });
    },
  );
}

function stepCommands({ editor }: DraftSession, controls: RefObject<CanvasControls>): PaletteCommand[] {
  const { definition, open } = editor.getState();
  const { steps } = analyse(definition);
  return definition.nodes
    .toSorted((a, b) => (steps.get(a.id) ?? 0) - (steps.get(b.id) ?? 0))
    .map((node) => ({
      id: `step-${node.id}`,
      label: nodeLabel(node),
      group: "Steps of this workflow",
      keywords: `${node.id} ${STEP_KINDS[node.type].title}`,
      hint: `Step ${steps.get(node.id) ?? ""}`,
      run: () => {
        open(node.id);
        controls.current.showNode(node.id);
      },
    }));
}

function deedCommands(
  session: DraftSession,
  controls: RefObject<CanvasControls>,
  { publish, find }: Doors,
): PaletteCommand[] {
  const { definition, orientation, isReadOnly, selectedNodeIds, undo, redo } = session.editor.getState();
  const [selected, ...others] = selectedNodeIds;
  const word = disableWord(definition, selectedNodeIds);
  const group = "This workflow";
  const deed = (label: string, hint: string, run: () => void): PaletteCommand => ({
    id: label,
    label,
    group,
    hint,
    run,
  });
  const looking = [
    deed("Find in this workflow", "⌘F", find),
    deed("Fit to view", "1", () => controls.current.fit()),
    deed("Outline", "O", () => controls.current.toggleOutline()),
    deed("Minimap", "M", () => controls.current.toggleMap()),
    deed("Keyboard shortcuts", "?", () => controls.current.openHelp()),
  ];
  if (isReadOnly) return looking;
  return [
    deed("Run the draft", "⌘↵", () => void withTestCode(({ runTest }) => runTest(session))),
    ...(selected === undefined || others.length > 0
      ? []
      : [
          deed("Test the selected step", "⌘⇧↵", () => void withTestCode(({ testStep }) => testStep(session, selected))),
          deed(
            "Run to the selected step",
            "",
            () => void withTestCode(({ runTest }) => runTest(session, { untilStep: selected })),
          ),
          deed("Run from the selected step", "", () => void withTestCode(({ runFrom }) => runFrom(session, selected))),
        ]),
    deed(
      selectedNodeIds.length === 0 ? "Copy to a new workflow" : "Copy the selected steps to a new workflow",
      "",
      () =>
        void withCode(loadCopyToNew, "The steps couldn't be copied.", ({ copyToNew }) =>
          copyToNew(session, selectedNodeIds),
        ),
    ),
    ...(selectedNodeIds.length === 0
      ? []
      : [deed("Extract the selected steps as a sub-workflow", "", () => session.editor.getState().extract(true))]),
    ...(word === null ? [] : [deed(`${word} the selected steps`, "D", () => toggleDisabled(session.editor))]),
    ...choicesFor(definition, selectedNodeIds).map((choice) =>
      deed(`${choice.label}: the selected steps`, "", () => setForSelected(session.editor, choice)),
    ),
    deed("Publish", "⌘⇧P", publish),
    deed("Add a note", "⇧N", () => controls.current.addNote()),
    deed("Tidy layout", "⇧L", () => void tidy(session.editor)),
    deed(TURN_WORDS[orientation], "⇧T", () => void turnDrawing(session.editor, controls.current)),
    deed("Undo", "⌘Z", undo),
    deed("Redo", "⌘⇧Z", redo),
    ...looking,
  ];
}
