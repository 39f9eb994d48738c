"use client";

import { useRef, useState } from "react";
import type { WebOperations } from "#lib/api/operations/web-operations";
import type { WorkspaceSettings } from "#lib/contract/workspace/workspace";
import { updateWorkspaceInput } from "#lib/contract/workspace/workspace-inputs";
import { readNumber } from "#lib/support/numbers/read-number";
import { useOperationForm } from "@/components/api/use-operation-form";
import { toast } from "@/components/ui/toast";

type Changes = WebOperations["update_workspace"]["input"];

interface Values {
  name: string;
  time_zone: string;
  /** As typed; an empty text means the instance's default. */
  run_retention_days: string;
  forbid_self_approval: boolean;
  redact_outputs: boolean;
}

/** The form of the workspace's settings: it sends only what changed. */
export function useWorkspaceForm(settings: WorkspaceSettings) {
  const [isConfirming, setIsConfirming] = useState(false);
  const isConfirmed = useRef(false);
  const form = useOperationForm("update_workspace", {
    schema: updateWorkspaceInput,
    start: {
      name: settings.name,
      time_zone: settings.time_zone,
      run_retention_days: settings.run_retention_days?.toString() ?? "",
      forbid_self_approval: settings.forbid_self_approval,
      redact_outputs: settings.redact_outputs,
    },
    toInput: (values: Values) => changesIn(values, settings),
    missing: { name: "Enter a name for the workspace." },
    holds: (values) => {
      const isHeld = isShortened(values, settings) && !isConfirmed.current;
      if (isHeld) setIsConfirming(true);
      return isHeld;
    },
    invalidates: ["get_workspace", "get_session", "list_workspaces"],
    onSuccess: () => {
      toast("Settings saved.");
      setIsConfirming(false);
    },
  });
  const values: Values = {
    name: form.value("name"),
    time_zone: form.value("time_zone"),
    run_retention_days: form.value("run_retention_days"),
    forbid_self_approval: form.value("forbid_self_approval"),
    redact_outputs: form.value("redact_outputs"),
  };

  async function confirm() {
    isConfirmed.current = true;
    await form.submit();
    isConfirmed.current = false;
  }

  return {
    form,
    isConfirming,
    isChanged: Object.keys(changesIn(values, settings)).length > 0,
    /** How long runs will be kept. */
    newDays: keptDays(daysOf(values.run_retention_days), settings),
    confirm: () => void confirm(),
    cancel: () => setIsConfirming(false),
  };
}

function changesIn(values: Values, settings: WorkspaceSettings): Changes {
  const wanted = { ...values, name: values.name.trim(), run_retention_days: daysOf(values.run_retention_days) };
  return Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) => settings[field as keyof typeof wanted] !== value),
  );
}

function isShortened({ run_retention_days: days }: Values, settings: WorkspaceSettings): boolean {
  return keptDays(daysOf(days), settings) < keptDays(settings.run_retention_days, settings);
}

function daysOf(typed: string): number | null {
  return typed.trim() === "" ? null : (readNumber(typed) ?? Number.NaN);
}

/**
 * Returns for how many days runs are kept: the instance's setting if the workspace has none. 0 for the instance means
 * forever.
 */
function keptDays(own: number | null, { default_retention_days: byDefault }: WorkspaceSettings): number {
  return own ?? (byDefault === 0 ? Number.POSITIVE_INFINITY : byDefault);
}
