"use client";

import { clsx } from "clsx";
import { IndentIncrease, Maximize2, Minimize2, Play } from "lucide-react";
import { lazy, type ReactNode, Suspense, useId, useRef, useState } from "react";
import { printLiteral } from "@/components/canvas/expressions/literal-values";
import type { ScriptHandle, ScriptProblem } from "@/components/canvas/kinds/code/script/script-editor";
import { ScriptProblems } from "@/components/canvas/kinds/code/script/script-problems";
import { useScriptFacts } from "@/components/canvas/kinds/code/script/use-script-facts";
import { useNodeField, usePanel } from "@/components/canvas/panel/fields/panel-context";
import { useStepCommands } from "@/components/canvas/panel/fields/step-commands";
import { useTypedText } from "@/components/canvas/panel/fields/use-typed-text";
import { useDraftSession, useEditor } from "@/components/canvas/store/draft-context";
import type { DraftSession } from "@/components/canvas/store/open-draft";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/forms/kbd";
import { IconButton } from "@/components/ui/icon-button";
import { LoadingLabel } from "@/components/ui/lists/skeleton";

/** About 140 kB, loaded only if a user opens a code step. */
const ScriptEditor = lazy(() =>
  import("@/components/canvas/kinds/code/script/script-editor").then((m) => ({ default: m.ScriptEditor })),
);

/** The code of the panel's step with its buttons and problems. */
export function ScriptArea({ isLarge }: { isLarge: boolean }) {
  const id = useId();
  const { node } = usePanel();
  const field = useNodeField(["source"]);
  const { text, change, leave } = useTypedText(field, printLiteral, (typed: string) => typed);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const session = useDraftSession();
  const commands = useStepCommands();
  const handle = useRef<ScriptHandle>(null);
  const [isTabIndenting, setTabIndenting] = useState(false);
  const [problems, setProblems] = useState<readonly ScriptProblem[]>([]);
  const facts = useScriptFacts();
  const expand = () => {
    const { open, showFullSize } = session.editor.getState();
    open(node.id, field.name);
    showFullSize(!isLarge);
  };
  const isInvalid = field.error !== null || problems.some(({ severity }) => severity === "error");
  return (
    <section aria-label="Code" className="flex min-w-0 flex-col gap-1.5">
      <ScriptBar
        titleId={`${id}-label`}
        isTabIndenting={isTabIndenting}
        onTabMode={() => handle.current?.setTabIndenting(!isTabIndenting)}
        onTest={isReadOnly || commands === null ? null : () => commands.test()}
        isLarge={isLarge}
        onExpand={expand}
      />
      <Frame isLarge={isLarge} isInvalid={isInvalid} isReadOnly={isReadOnly}>
        <ScriptEditor
          handle={handle}
          memory={memoryOf(session)}
          memoryKey={node.id}
          labelledBy={`${id}-label`}
          describedBy={`${id}-keys`}
          fieldName={field.name}
          isInvalid={isInvalid}
          isReadOnly={isReadOnly}
          value={text}
          facts={facts}
          onChange={change}
          onLeave={leave}
          onTest={() => (isReadOnly ? undefined : commands?.test())}
          onExpand={expand}
          onTabMode={setTabIndenting}
          onProblems={(found) => setProblems((before) => (isSameList(before, found) ? before : found))}
        />
      </Frame>
      <p id={`${id}-keys`} className="text-dense text-text-3">
        {isTabIndenting
          ? "Tab indents. Press Escape or Ctrl+M to leave the editor with Tab again."
          : "Tab leaves the editor. Press Ctrl+M to indent with Tab."}
      </p>
      {field.error === null ? null : <p className="text-dense text-err">{field.error}</p>}
      <ScriptProblems problems={problems} onGoTo={(position) => handle.current?.goTo(position)} />
    </section>
  );
}

function isSameList(before: readonly ScriptProblem[], after: readonly ScriptProblem[]): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

interface FrameProps {
  isLarge: boolean;
  isInvalid: boolean;
  isReadOnly: boolean;
  children: ReactNode;
}

function Frame({ isLarge, isInvalid, isReadOnly, children }: FrameProps) {
  return (
    <div
      className={clsx(
        "flex min-w-0 flex-col overflow-hidden rounded-2 border focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent",
        // The rest of the screen, less the problems below.
        isLarge ? "h-[max(20rem,calc(100dvh-29rem))]" : "h-80",
        isInvalid ? "border-err" : "border-border-strong",
        isReadOnly ? "bg-sunken" : "bg-surface",
      )}
    >
      <Suspense fallback={<LoadingLabel>Loading the editor</LoadingLabel>}>{children}</Suspense>
    </div>
  );
}

interface ScriptBarProps {
  titleId: string;
  isTabIndenting: boolean;
  onTabMode: () => void;
  onTest: (() => void) | null;
  isLarge: boolean;
  onExpand: () => void;
}

function ScriptBar({ titleId, isTabIndenting, onTabMode, onTest, isLarge, onExpand }: ScriptBarProps) {
  return (
    <div className="flex min-h-control-sm items-center gap-1">
      <span id={titleId} className="mr-auto font-medium">
        TypeScript
      </span>
      <IconButton
        icon={IndentIncrease}
        size="sm"
        label="Indent with Tab"
        aria-pressed={isTabIndenting}
        onClick={onTabMode}
      />
      {onTest === null ? null : (
        <Button size="sm" onClick={onTest}>
          <Play aria-hidden className="size-3.5" />
          Test step
          <span aria-hidden>
            <Kbd>⌘↵</Kbd>
          </span>
        </Button>
      )}
      <IconButton
        icon={isLarge ? Minimize2 : Maximize2}
        size="sm"
        label={isLarge ? "Show the code in the panel" : "Expand the editor"}
        shortcut="⌘⇧E"
        onClick={onExpand}
      />
    </div>
  );
}

/** The editor states by step, of each open workflow. */
const memories = new WeakMap<DraftSession, Map<string, unknown>>();

/**
 * Keeps the caret and the undo history of the code of a step while its editor is closed, or moves to the full-size step
 * and back.
 */
function memoryOf(session: DraftSession): Map<string, unknown> {
  const memory = memories.get(session) ?? new Map<string, unknown>();
  memories.set(session, memory);
  return memory;
}
