import { useShallow } from "zustand/react/shallow";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { isError } from "#lib/core/graph/checks/problem";
import { isUntouched, settledProblems } from "@/components/canvas/document/analysis";
import { serverProblems } from "@/components/canvas/document/server-problems";
import { useAnalysis, useDraft, useEditor } from "@/components/canvas/store/draft-context";

interface Problems {
  errors: readonly GraphProblem[];
  warnings: readonly GraphProblem[];
  /** False while neither the page nor the server has checked the drawing. */
  isChecked: boolean;
  /** True while errors of a step that was just added are not reported yet. */
  hasUntouched: boolean;
}

/** Returns the problems of the current drawing: those that the page finds, and those that the server found. */
export function useProblems(): Problems {
  const { index, problems, warnings } = useAnalysis();
  const unsettled = useEditor(useShallow(({ typingIn, freshNodes }) => ({ typingIn, freshNodes })));
  const isChecked = useEditor((editor) => editor.isChecked);
  const checked = useDraft((draft) => draft.checked);
  const found = useDraft((draft) => draft.facts.problems);
  const others = serverProblems(index.definition, checked, found, [...problems, ...warnings]);
  const errors = [...problems, ...others.filter(isError)];
  return {
    errors: settledProblems(errors, unsettled),
    warnings: settledProblems([...warnings, ...others.filter((problem) => !isError(problem))], unsettled),
    isChecked: isChecked || index.definition === checked,
    hasUntouched: errors.some((problem) => isUntouched(unsettled.freshNodes, problem)),
  };
}
