"use client";

import { clsx } from "clsx";
import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import type { KindForm } from "@/components/canvas/kinds/canvas-kind";
import { DataPanel } from "@/components/canvas/panel/data/data-panel";
import { OutputTab } from "@/components/canvas/panel/output-tab";
import { SettingsTabs } from "@/components/canvas/panel/settings-tabs";
import { useEditor, useEditorStore, useTests } from "@/components/canvas/store/draft-context";
import { Tabs } from "@/components/ui/lists/tabs";
import { useMedia } from "@/components/ui/use-media";

/** From here on, data, settings and output have a column each. */
const THREE_COLUMNS = "(min-width: 1600px)";
/** From here on, data and output share the column next to the settings. Below, everything is in tabs. */
const TWO_COLUMNS = "(min-width: 1024px)";

/** What the column next to the settings shows. */
export type WorkspaceSide = "input" | "output";

interface WorkspaceColumnsProps {
  node: GraphNode;
  form: KindForm;
  side: WorkspaceSide;
  onSide: (side: WorkspaceSide) => void;
}

/** Lays out a step's workspace as the screen has room. */
export function WorkspaceColumns({ node, form, side, onSide }: WorkspaceColumnsProps) {
  const hasThree = useMedia(THREE_COLUMNS);
  const hasTwo = useMedia(TWO_COLUMNS);
  const editor = useEditorStore();
  useOutputOfTest(() => {
    onSide("output");
    if (!hasTwo) editor.getState().showTab("output");
  });
  const settings = (
    <aside data-pane aria-label={`Settings for ${nodeLabel(node)}`} className="flex min-w-0 flex-1 flex-col">
      <SettingsTabs form={form} hasData={!hasTwo} hasOutput={!hasTwo} />
    </aside>
  );
  if (!hasTwo) return settings;
  if (!hasThree) {
    return (
      <>
        {settings}
        <SideTabs node={node} side={side} onSide={onSide} />
      </>
    );
  }
  return (
    <>
      <Column title="Input">
        <StepInput node={node} />
      </Column>
      <div
        className={clsx(
          "flex border-x border-border",
          STEP_KINDS[node.type].program?.language === "typescript" ? "min-w-0 flex-[2]" : "w-[520px] shrink-0",
        )}
      >
        {settings}
      </div>
      <Column title="Output">
        <OutputTab />
      </Column>
    </>
  );
}

function Column({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section data-pane aria-label={`${title} of this step`} className="flex min-w-0 flex-1 flex-col">
      <h2 className="flex h-10 shrink-0 items-center border-b border-border px-4 font-medium">{title}</h2>
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto p-4">{children}</div>
    </section>
  );
}

/** What the step can read. The step that starts a workflow gets its data from outside. */
function StepInput({ node }: { node: GraphNode }) {
  if (STEP_KINDS[node.type].hasInput) return <DataPanel isTall />;
  return <p className="text-text-2">The workflow starts here. This step outputs the data from the caller or event.</p>;
}

function SideTabs({ node, side, onSide }: Omit<WorkspaceColumnsProps, "form">) {
  return (
    <div data-pane className="flex w-1/2 max-w-160 shrink-0 border-l border-border">
      <Tabs
        label="Data"
        value={side}
        onChange={onSide}
        tabs={[
          { value: "input", label: "Input", content: <StepInput node={node} /> },
          { value: "output", label: "Output", content: <OutputTab /> },
        ]}
        listClassName="px-4"
        panelClassName="flex flex-col gap-5 overflow-y-auto p-4"
      />
    </div>
  );
}

/** Shows the output when a test starts, or when a click on a result asks for it. */
function useOutputOfTest(show: () => void): void {
  const latest = useRef(show);
  const isStarting = useTests((tests) => tests.isStarting);
  const isWanted = useEditor((state) => state.panelTab === "output");
  useLayoutEffect(() => {
    latest.current = show;
  });
  useEffect(() => {
    if (isStarting || isWanted) latest.current();
  }, [isStarting, isWanted]);
}
