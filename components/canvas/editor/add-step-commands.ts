import type { QueryClient } from "@tanstack/react-query";
import { entryLabel } from "@/components/canvas/catalog/catalog-entry";
import { entryRefusal, insertEntry } from "@/components/canvas/catalog/insert-entry";
import { COMMON_KINDS } from "@/components/canvas/catalog/list-kind-entries";
import { loadCatalog } from "@/components/canvas/catalog/use-catalog";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import type { Picker } from "@/components/canvas/store/dialogs-slice";
import type { EditorStore } from "@/components/canvas/store/editor-store";
import type { CommandSearch, PaletteCommand } from "@/components/shell/command-sources";

interface Places {
  /** Where a step is added; null while nothing is drawn. */
  findSpot: () => InsertSpot | null;
  /** Lists the operations of an app in the picker. */
  openApp: (app: NonNullable<Picker["app"]>) => void;
}

/**
 * Returns a search of the step picker's catalog for the command palette. Without a query it offers the kinds that most
 * workflows use. What can't be added at the spot is left out. An app opens the picker with its operations.
 */
export async function loadAddCommands(
  queryClient: QueryClient,
  editor: EditorStore,
  { findSpot, openApp }: Places,
): Promise<CommandSearch> {
  const { entries, search } = await loadCatalog(queryClient);
  const isCommon = ({ id }: { id: string }) => COMMON_KINDS.some((type) => id === `kind:${type}`);
  return (query) => {
    const { definition, isReadOnly } = editor.getState();
    const spot = findSpot();
    if (isReadOnly || spot === null) return [];
    const found = query.trim() === "" ? entries.filter(isCommon) : search(query);
    return found.flatMap((entry): PaletteCommand[] => {
      const { choice, app } = entry;
      if (entryRefusal(definition, entry, spot) !== null) return [];
      const command = { id: `add-${entry.id}`, group: "Add a step", isMatch: true } as const;
      if (choice.kind !== "app") {
        return [{ ...command, label: `Add ${entryLabel(entry)}`, run: () => insertEntry(editor, choice, spot) }];
      }
      if (app === null) return [];
      const { connectionId } = choice;
      return [{ ...command, label: `Add from ${entryLabel(entry)}…`, run: () => openApp({ ...app, connectionId }) }];
    });
  };
}
