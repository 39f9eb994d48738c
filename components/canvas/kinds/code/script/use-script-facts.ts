import { useMemo } from "react";
import type { StepItem } from "#lib/contract/run/journal";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { withoutPlace } from "#lib/core/steps/code/place-in-field";
import { inputShapeOf } from "@/components/canvas/kinds/code/script/input-shape";
import type { CheckedSource, ScriptFacts } from "@/components/canvas/kinds/code/script/lint-script";
import { usePanel, usePanelAnalysis } from "@/components/canvas/panel/fields/panel-context";
import { useDraft, useKnown } from "@/components/canvas/store/draft-context";

/** Returns what is known about the code of the panel's step: the shape of its input, and what is wrong with the source. */
export function useScriptFacts(): ScriptFacts {
  const { node } = usePanel();
  const analysis = usePanelAnalysis();
  const known = useKnown();
  const definition = useDraft((draft) => draft.checked);
  const problems = useDraft((draft) => draft.facts.problems);
  const checkedNode = definition.nodes.find(({ id }) => id === node.id);
  const source = typeof node.data.source === "string" ? node.data.source : "";
  const step = known.results[node.id]?.step;
  const thrown = useThrown(step, source);
  return useMemo(() => {
    const checked = checkedNode === undefined ? null : checkedSource(checkedNode.id, checkedNode.data.source, problems);
    return { input: inputShapeOf(node, analysis, known), checked, thrown };
  }, [node, analysis, known, checkedNode, problems, thrown]);
}

function checkedSource(nodeId: string, source: unknown, problems: readonly GraphProblem[]): CheckedSource | null {
  if (typeof source !== "string") return null;
  const problem = problems.find(({ code, node_id }) => code === "SYNTAX_ERROR" && node_id === nodeId);
  if (problem?.line === undefined) return { source, error: null };
  const place = { line: problem.line, column: problem.column ?? null };
  return { source, error: { message: withoutPlace(problem.message, "source", place), ...place } };
}

/** The source when a result came. It outlives the editor, which is created again when it is expanded. */
const ranSources = new WeakMap<StepItem, string>();

/** The error that the code threw in its last run, as long as the code is the same. */
function useThrown(step: StepItem | undefined, source: string): ScriptFacts["thrown"] {
  if (step !== undefined && !ranSources.has(step)) ranSources.set(step, source);
  const isSame = step !== undefined && ranSources.get(step) === source;
  const { message, line } = step?.error ?? {};
  return useMemo(
    () =>
      isSame && message !== undefined && line !== undefined
        ? // The place is shown before the message.
          { message: message.replace(` (line ${line})`, ""), line }
        : null,
    [isSame, message, line],
  );
}
