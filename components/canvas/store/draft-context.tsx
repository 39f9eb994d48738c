"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { TemporalState } from "zundo";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { type Analysis, analyse } from "@/components/canvas/document/analysis";
import type { Tracked } from "@/components/canvas/store/document-slice";
import type { DraftState } from "@/components/canvas/store/draft-state";
import type { CanvasEditor, EditorStore } from "@/components/canvas/store/editor-store";
import type { DraftSession } from "@/components/canvas/store/open-draft";
import type { Tests } from "@/components/canvas/store/test-store";

const DraftContext = createContext<DraftSession | null>(null);

export function DraftProvider({ session, children }: { session: DraftSession; children: ReactNode }) {
  return <DraftContext value={session}>{children}</DraftContext>;
}

export function useDraftSession(): DraftSession {
  const session = useContext(DraftContext);
  if (session === null) throw new Error("The canvas must be inside DraftProvider.");
  return session;
}

/** Returns the editor itself, for handlers: reading it does not subscribe. */
export function useEditorStore(): EditorStore {
  return useDraftSession().editor;
}

export function useEditor<T>(selector: (editor: CanvasEditor) => T): T {
  return useStore(useEditorStore(), selector);
}

export function useHistory<T>(selector: (history: TemporalState<Tracked>) => T): T {
  return useStore(useEditorStore().temporal, selector);
}

export function useDraft<T>(selector: (draft: DraftState) => T): T {
  return useStore(useDraftSession().draft, selector);
}

export function useTests<T>(selector: (tests: Tests) => T): T {
  return useStore(useDraftSession().tests, selector);
}

/** Returns the steps' last known outputs, as the same object while they don't change. */
export function useKnown(): Pick<Tests, "pins" | "results" | "samples"> {
  return useTests(useShallow(({ pins, results, samples }) => ({ pins, results, samples })));
}

/** Returns the steps, problems and graph index of the current drawing. */
export function useAnalysis(): Analysis {
  return useEditor((editor) => analyse(editor.definition));
}
