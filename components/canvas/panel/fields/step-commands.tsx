"use client";

import { createContext, useContext } from "react";

/** What a form can do with its step beyond editing it. The panel provides it, because tests are made of later rooms. */
export interface StepCommands {
  /** Runs the step with the outputs of earlier tests; without them, the steps before it run too. */
  test(): void;
}

const StepCommandsContext = createContext<StepCommands | null>(null);

export const StepCommandsProvider = StepCommandsContext.Provider;

/** Returns null where a step cannot be tested. */
export function useStepCommands(): StepCommands | null {
  return useContext(StepCommandsContext);
}
