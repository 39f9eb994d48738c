import type { PaletteCommand } from "@/components/shell/command-sources";

const SHOWN_PER_GROUP = 8;

export interface CommandGroup {
  title: string;
  commands: PaletteCommand[];
}

/**
 * Returns the commands that contain every word typed, in the order of their groups; in a group, labels that start with
 * the query come first. A command that its source found by the query is neither filtered nor sorted. A group shows only a few commands: to find more, users type another letter.
 */
export function matchCommands(commands: readonly PaletteCommand[], query: string): CommandGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const text = ({ label, keywords = "", group }: PaletteCommand) => `${label} ${keywords} ${group}`.toLowerCase();
  const isMatching = (command: PaletteCommand) => words.every((word) => text(command).includes(word));
  const matching = commands.filter((command) => command.isMatch || isMatching(command));
  const startsLate = ({ label, isMatch }: PaletteCommand) =>
    Number(!isMatch && !label.toLowerCase().startsWith(query.trim().toLowerCase()));
  return [...Map.groupBy(matching, ({ group }) => group)].map(([title, group]) => ({
    title,
    commands: group.toSorted((a, b) => startsLate(a) - startsLate(b)).slice(0, SHOWN_PER_GROUP),
  }));
}
