import { expect, test } from "vitest";
import { matchCommands } from "@/components/pages/palette/match-commands";
import type { PaletteCommand } from "@/components/shell/command-sources";

const command = (label: string, group: string, keywords = ""): PaletteCommand => ({
  id: label,
  label,
  group,
  keywords,
  run: () => undefined,
});

const COMMANDS = [
  command("Create refund", "Steps", "http"),
  command("Refund decision", "Steps", "condition"),
  command("Runs", "Go to"),
];

const labels = (query: string) =>
  matchCommands(COMMANDS, query).map(({ title, commands }) => [title, ...commands.map(({ label }) => label)]);

test("every word must match, and labels that start with it come first", () => {
  expect(labels("refund")).toEqual([["Steps", "Refund decision", "Create refund"]]);
  expect(labels("refund http")).toEqual([["Steps", "Create refund"]]);
  expect(labels("steps")).toEqual([["Steps", "Create refund", "Refund decision"]]);
});

test("without a query, the groups keep their order", () => {
  expect(labels("").map(([title]) => title)).toEqual(["Steps", "Go to"]);
  expect(labels("nothing like it")).toEqual([]);
});

test("commands that their source found keep their order, whatever words they have", () => {
  const found = ["Add Telegram", "Refund an order"].map(
    (label) => ({ ...command(label, "Add a step"), isMatch: true }) as const,
  );
  const [group] = matchCommands([...found, command("Refund", "Add a step")], "refund");
  expect(group?.commands.map(({ label }) => label)).toEqual(["Add Telegram", "Refund an order", "Refund"]);
});
