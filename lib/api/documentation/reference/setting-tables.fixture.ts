import { z } from "zod";
import { code, markdownTable } from "#lib/api/documentation/reference/markdown-table.fixture";
import { SETTING_GROUPS } from "#lib/platform/config/env";

/** Returns a heading and a table for each group of settings. */
export function settingTables(): string {
  return Object.entries(SETTING_GROUPS)
    .map(([title, group]) => `## ${title}\n\n${settingTable(group)}`)
    .join("\n\n");
}

function settingTable({ shape }: z.ZodObject): string {
  const rows = Object.entries(shape).map(([name, setting]) => [
    code(name),
    code(defaultOf(z.safeParse(setting, undefined).data)),
    z.globalRegistry.get(setting)?.description ?? "",
  ]);
  return markdownTable(["variable", "default", "meaning"], rows);
}

function defaultOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
