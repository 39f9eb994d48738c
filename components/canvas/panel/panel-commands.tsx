"use client";

import { type ReactNode, useMemo } from "react";
import { analyse } from "@/components/canvas/document/analysis";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { StepCommandsProvider } from "@/components/canvas/panel/fields/step-commands";
import { useDraftSession } from "@/components/canvas/store/draft-context";
import { pinsForStep } from "@/components/canvas/testing/choose-pins";
import { runTest } from "@/components/canvas/testing/run-test";

/** Lets the forms inside test the panel's step. */
export function PanelCommands({ children }: { children: ReactNode }) {
  const session = useDraftSession();
  const nodeId = usePanel().node.id;
  const commands = useMemo(() => {
    const test = () => {
      const plan = pinsForStep(analyse(session.editor.getState().definition), nodeId, session.tests.getState());
      void runTest(session, { untilStep: nodeId, ...("pins" in plan ? { pins: plan.pins } : {}) });
    };
    return { test };
  }, [session, nodeId]);
  return <StepCommandsProvider value={commands}>{children}</StepCommandsProvider>;
}
