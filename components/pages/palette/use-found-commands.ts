"use client";

import { useRouter } from "next/navigation";
import { useDeferredValue } from "react";
import { useOperation } from "@/components/api/operation-hooks";
import type { PaletteCommand } from "@/components/shell/command-sources";
import { useNavItems } from "@/components/shell/use-nav-items";
import { RUN_SOURCE_WORDS } from "@/components/words/run-sources";
import { RUN_STATUS_WORDS } from "@/components/words/run-status-words";
import { shortId } from "@/components/words/short-id";

const FOUND_MAX = 6;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Finds pages, workflows, actions and runs. The server searches by name; for runs it looks up an id or returns the
 * latest.
 */
export function useFoundCommands(typed: string): PaletteCommand[] {
  const router = useRouter();
  const { main, workspace } = useNavItems();
  const q = useDeferredValue(typed.trim());
  const search = { ...(q === "" ? {} : { q: q.slice(0, 200) }), limit: FOUND_MAX };
  const workflows = useOperation("list_workflows", search, { keepPrevious: true });
  const actions = useOperation("list_actions", search, { keepPrevious: true });
  const runs = useOperation("list_runs", { limit: FOUND_MAX });
  const to = (href: string) => () => router.push(href);
  const isRunId = UUID.test(q);
  return [
    ...(isRunId ? [{ id: "run-by-id", label: `Open run ${q}`, group: "Runs", run: to(`/runs/${q}`) }] : []),
    ...[...main, ...workspace].map(({ href, label, key }) => ({
      id: href,
      label,
      group: "Go to",
      hint: `G ${key.toUpperCase()}`,
      run: to(href),
    })),
    {
      id: "connectors",
      label: "Your connectors",
      group: "Go to",
      keywords: "openapi build a connector",
      run: to("/connections/connectors"),
    },
    ...(workflows.data?.data ?? []).map(({ workflow_id, name, type }) => ({
      id: workflow_id,
      label: name,
      group: "Workflows",
      hint: type === "callable" ? "Callable" : "Event driven",
      run: to(`/workflows/${workflow_id}`),
    })),
    ...(actions.data?.data ?? []).map(({ slug, name, status }) => ({
      id: `action-${slug}`,
      label: slug,
      group: "Actions",
      keywords: name,
      hint: status,
      run: to(`/actions/${slug}`),
    })),
    ...(runs.data?.data ?? []).map((run) => ({
      id: run.run_id,
      label: `${shortId(run.run_id)} ${run.action_slug ?? ""}`.trim(),
      group: "Runs",
      keywords: `${run.run_id} ${RUN_SOURCE_WORDS[run.source]}`,
      hint: RUN_STATUS_WORDS[run.status],
      run: to(`/runs/${run.run_id}`),
    })),
  ];
}
