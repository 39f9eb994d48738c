"use client";

import type { ReactNode } from "react";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import type { KindForm } from "@/components/canvas/kinds/canvas-kind";
import { ConnectionsSection } from "@/components/canvas/panel/connections-section";
import { DataPanel } from "@/components/canvas/panel/data/data-panel";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { FrameSection } from "@/components/canvas/panel/frame-section";
import { OutputTab } from "@/components/canvas/panel/output-tab";
import { RetriesForm } from "@/components/canvas/panel/retries-form";
import { useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import type { PanelTab } from "@/components/canvas/store/panel-slice";
import { Tabs } from "@/components/ui/lists/tabs";

interface SettingsTabsProps {
  form: KindForm;
  /** False where the data of earlier steps, or the output, is shown next to the settings. */
  hasData: boolean;
  hasOutput: boolean;
}

/** The settings of the open step. */
export function SettingsTabs({ form, hasData, hasOutput }: SettingsTabsProps) {
  const { node } = usePanel();
  const editor = useEditorStore();
  const { canContinue, canRetry, hasInput } = STEP_KINDS[node.type];
  const tab = useEditor((state) => state.panelTab);
  const tabs: { value: PanelTab; label: string; content: ReactNode }[] = [
    { value: "setup", label: "Setup", content: <SetupTab form={form} hasData={hasData && hasInput} /> },
  ];
  if (canContinue)
    tabs.push({ value: "retries", label: "Retries & errors", content: <RetriesForm canRetry={canRetry} /> });
  if (hasOutput) tabs.push({ value: "output", label: "Output", content: <OutputTab /> });
  return (
    <Tabs<PanelTab>
      label="Settings"
      value={tabs.some(({ value }) => value === tab) ? tab : "setup"}
      onChange={(next) => editor.getState().showTab(next)}
      tabs={tabs}
      listClassName="px-4"
      panelClassName="flex flex-col gap-5 overflow-y-auto p-4"
    />
  );
}

function SetupTab({ form: Form, hasData }: { form: KindForm; hasData: boolean }) {
  return (
    <>
      <div data-form className="contents">
        <Form />
      </div>
      {hasData ? <DataPanel /> : null}
      <div className="flex flex-col gap-5 border-t border-border pt-4 empty:hidden">
        <ConnectionsSection />
        <FrameSection />
      </div>
    </>
  );
}
