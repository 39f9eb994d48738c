import { useMemo, useState } from "react";
import {
  arrangeEntries,
  type Category,
  type EntrySection,
  type OfferedEntry,
  type OpenApp,
} from "@/components/canvas/catalog/arrange-entries";
import { entryRefusal, insertEntry } from "@/components/canvas/catalog/insert-entry";
import { recentEntries } from "@/components/canvas/catalog/recent-entries";
import { type CatalogState, useCatalog } from "@/components/canvas/catalog/use-catalog";
import type { Picker } from "@/components/canvas/store/dialogs-slice";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import { useSession } from "@/components/shell/session-context";

/** A line that can be active: an entry, or the one that shows the rest of a section. */
export type PickerRow =
  | { id: string; kind: "entry"; offer: OfferedEntry; sectionId: string }
  | { id: string; kind: "more"; category: Category; sectionId: string };

export interface PickerState extends Omit<CatalogState, "catalog"> {
  sections: EntrySection[];
  rows: PickerRow[];
  current: PickerRow | undefined;
  query: string;
  category: Category;
  app: OpenApp | null;
  search: (query: string) => void;
  show: (category: Category) => void;
  point: (row: PickerRow) => void;
  move: (distance: number) => void;
  choose: (row: PickerRow | undefined) => void;
  openApp: (row: PickerRow | undefined) => boolean;
  leaveApp: () => void;
}

/** What the user sees of the catalog. A change of any part makes the first line active again. */
interface View {
  query: string;
  category: Category;
  app: OpenApp | null;
  active: number;
}

const START: View = { query: "", category: "all", app: null, active: 0 };

export function usePicker({ spot, app: first }: Picker, onChoose: () => void): PickerState {
  const editor = useEditorStore();
  const { catalog, ...state } = useCatalog();
  const { user, workspace } = useSession();
  const [recents] = useState(() => recentEntries({ userId: user.user_id, workspaceId: workspace.workspace_id }));
  const [recent] = useState(recents.read);
  const [view, setView] = useState<View>({ ...START, app: first ?? null });
  const { query, category, app } = view;
  const sections = useMemo(() => {
    const { definition } = editor.getState();
    const refusalOf = (entry: OfferedEntry["entry"]) => entryRefusal(definition, entry, spot);
    return arrangeEntries(catalog, { query, category, app, recent, refusalOf });
  }, [editor, catalog, query, category, app, recent, spot]);
  const rows = useMemo(() => sections.flatMap(rowsOf), [sections]);
  const active = Math.min(view.active, rows.length - 1);
  const current = rows[active];
  const change = (next: Partial<View>) => setView((last) => ({ ...last, active: 0, ...next }));
  function openApp(row: PickerRow | undefined): boolean {
    if (row?.kind !== "entry" || app !== null) return false;
    const opened = appOfEntry(row.offer);
    if (opened === null) return false;
    change({ app: opened, query: "" });
    return true;
  }
  function choose(row: PickerRow | undefined) {
    if (row === undefined) return;
    if (row.kind === "more") change({ category: row.category });
    else if (row.offer.refusal === null && !(row.offer.entry.choice.kind === "app" && openApp(row))) add(row.offer);
  }
  function add({ entry: { id, choice } }: OfferedEntry) {
    if (choice.kind === "app") return;
    recents.remember(id);
    onChoose();
    editor.getState().closePicker();
    insertEntry(editor, choice, spot);
  }
  return {
    ...state,
    sections,
    rows,
    current,
    query,
    category,
    app,
    choose,
    openApp,
    search: (words) => change({ query: words }),
    show: (next) => change({ category: next, app: null }),
    point: (row) => setView((last) => ({ ...last, active: rows.indexOf(row) })),
    move: (distance) =>
      rows.length > 0 && setView((last) => ({ ...last, active: (active + distance + rows.length) % rows.length })),
    leaveApp: () => change({ app: null, query: "" }),
  };
}

function rowsOf({ id: sectionId, offers, more }: EntrySection): PickerRow[] {
  const own = offers.map((offer) => {
    return { id: `${sectionId}-${offer.entry.id}`, kind: "entry" as const, offer, sectionId };
  });
  return more === undefined ? own : [...own, { id: `${sectionId}-more`, kind: "more", category: more, sectionId }];
}

/** Returns the app that an entry is, or that it belongs to. An HTTP connection belongs to no app. */
function appOfEntry({ entry: { app, choice } }: OfferedEntry): OpenApp | null {
  if (app === null || app.connector === "http") return null;
  return { ...app, connectionId: choice.kind === "app" ? choice.connectionId : null };
}
