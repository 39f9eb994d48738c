"use client";

import { createContext, type ReactNode, useContext, useDeferredValue } from "react";
import type { TemporalState } from "zundo";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import type { Definition } from "#lib/contract/graph";
import { type Analysis, analyse } from "@/components/canvas/store/analysis";
import type { Editor, EditorStore, Tracked } from "@/components/canvas/store/editor-store";
import type { DraftSession, DraftState } from "@/components/canvas/store/open-draft";
import type { Tests } from "@/components/canvas/testing/test-store";

const DraftContext = createContext<DraftSession | null>(null);

export function DraftProvider({ session, children }: { session: DraftSession; children: ReactNode }) {
  return <DraftContext value={session}>{children}</DraftContext>;
}

export function useDraftSession(): DraftSession {
  const session = useContext(DraftContext);
  if (session === null) throw new Error("The canvas stands outside DraftProvider.");
  return session;
}

/** The editor itself, for handlers: reading it does not subscribe. */
export function useEditorStore(): EditorStore {
  return useDraftSession().editor;
}

export function useEditor<T>(selector: (editor: Editor) => T): T {
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

/** What steps gave last, as far as it is known; the same object while nothing of it changes. */
export function useKnown(): Pick<Tests, "pins" | "results" | "samples"> {
  return useTests(useShallow(({ pins, results, samples }) => ({ pins, results, samples })));
}

/**
 * The drawing, for what is shown beside the field that somebody types into: the letter comes first, what follows from it
 * a moment later. Anything but typing shows at once.
 */
export function useShownDefinition(): Definition {
  const definition = useEditor((editor) => editor.definition);
  const isTyping = useEditor((editor) => editor.typingIn !== null);
  const earlier = useDeferredValue(definition);
  return isTyping && hasSameSteps(earlier, definition) ? earlier : definition;
}

function hasSameSteps(left: Definition, right: Definition): boolean {
  return left.nodes.length === right.nodes.length && left.nodes.every(({ id }, at) => id === right.nodes[at]?.id);
}

/** Steps, problems and the graph's index of the drawing as it stands. */
export function useAnalysis(): Analysis {
  return analyse(useShownDefinition());
}
