"use client";

import { type FormEvent, useState } from "react";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { LIMITS } from "#lib/contract/limits";
import type { WorkspaceSettings } from "#lib/contract/workspace";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { toast } from "@/components/ui/toast";

type Changes = WebOperations["update_workspace"]["input"];

interface Problems {
  name?: string;
  days?: string;
}

/** The form of the workspace's settings: only what was changed is sent. */
export function useWorkspaceForm(settings: WorkspaceSettings) {
  const [name, setName] = useState(settings.name);
  const [timeZone, setTimeZone] = useState(settings.time_zone);
  const [days, setDays] = useState(settings.run_retention_days?.toString() ?? "");
  const [forbidsSelf, setForbidsSelf] = useState(settings.forbid_self_approval);
  const [problems, setProblems] = useState<Problems>({});
  const [isConfirming, setIsConfirming] = useState(false);
  const update = useOperationMutation("update_workspace", {
    invalidates: ["get_workspace", "get_session", "list_workspaces"],
    onSuccess: () => {
      toast("Settings saved.");
      setIsConfirming(false);
    },
  });
  const wanted = {
    name: name.trim(),
    time_zone: timeZone,
    run_retention_days: days.trim() === "" ? null : Number(days),
    forbid_self_approval: forbidsSelf,
  };
  const changes: Changes = Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) => settings[field as keyof typeof wanted] !== value),
  );
  const shortened = keptDays(wanted.run_retention_days, settings) < keptDays(settings.run_retention_days, settings);

  function submit(event: FormEvent) {
    event.preventDefault();
    const found: Problems = {
      ...(wanted.name === "" ? { name: "Name the workspace." } : {}),
      ...(isWholeDays(days) ? {} : { days: `Enter a whole number from 1 to ${LIMITS.retentionDaysMax}, or nothing.` }),
    };
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    if (shortened) setIsConfirming(true);
    else update.mutate(changes);
  }

  return {
    ...{ name, setName, timeZone, setTimeZone, days, setDays, forbidsSelf, setForbidsSelf },
    ...{ submit, problems, isConfirming },
    isChanged: Object.keys(changes).length > 0,
    isBusy: update.isPending,
    error: update.error?.message ?? null,
    /** How long runs will be kept, when that is shorter than now. */
    newDays: keptDays(wanted.run_retention_days, settings),
    confirm: () => update.mutate(changes),
    cancel: () => setIsConfirming(false),
  };
}

/** Days that runs are kept; the instance's where the workspace has none, and 0 of the instance is for good. */
function keptDays(own: number | null, { default_retention_days: byDefault }: WorkspaceSettings): number {
  return own ?? (byDefault === 0 ? Number.POSITIVE_INFINITY : byDefault);
}

function isWholeDays(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed === "") return true;
  return /^\d{1,4}$/.test(trimmed) && Number(trimmed) >= 1 && Number(trimmed) <= LIMITS.retentionDaysMax;
}
