"use client";

import { Bookmark, ChevronDown, Columns3 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { SavedView } from "#lib/contract/run/run-list";
import { useOperation } from "@/components/api/operation-hooks";
import type { DisplayMenuProps } from "@/components/features/runs/list/display-menu";
import type { ListSettings } from "@/components/features/runs/list/list-settings";
import { type RunListFilters, readFilters, writeFilters } from "@/components/features/runs/list/run-filters";
import { Button } from "@/components/ui/button";
import { LazyMenu } from "@/components/ui/overlays/lazy-menu";

const loadDisplay = () => import("@/components/features/runs/list/display-menu");
const DisplayMenu = lazy(() => loadDisplay().then((m) => ({ default: m.DisplayMenu })));
const loadViews = () => import("@/components/features/runs/list/views-menu");
const ViewsMenu = lazy(() => loadViews().then((m) => ({ default: m.ViewsMenu })));
const SaveViewDialog = lazy(() =>
  import("@/components/features/runs/list/save-view-dialog").then((m) => ({ default: m.SaveViewDialog })),
);
const ManageViewsDialog = lazy(() =>
  import("@/components/features/runs/list/manage-views-dialog").then((m) => ({ default: m.ManageViewsDialog })),
);

export function DisplayButton(props: DisplayMenuProps) {
  return (
    <LazyMenu
      preload={loadDisplay}
      trigger={
        <Button variant="ghost">
          <Columns3 aria-hidden className="size-3.5" />
          Display
        </Button>
      }
    >
      {(menu) => <DisplayMenu {...menu} {...props} />}
    </LazyMenu>
  );
}

interface ViewsButtonProps {
  filters: RunListFilters;
  settings: ListSettings;
  onApply: (filters: RunListFilters, columns: ListSettings["columns"]) => void;
}

/** The saved views of the person and the workspace. The button names the one that the page shows. */
export function ViewsButton({ filters, settings, onApply }: ViewsButtonProps) {
  const [open, setOpen] = useState<"save" | "manage" | null>(null);
  const views = useOperation("list_saved_views", {}, { staleTime: 60_000 }).data?.data ?? [];
  const current = { filters: writeFilters(filters), columns: [...settings.columns], order: filters.order };
  const shown = views.find((view) => textOf(view.settings) === textOf(current));
  return (
    <>
      <LazyMenu
        preload={loadViews}
        trigger={
          <Button variant={shown === undefined ? "ghost" : "field-chosen"} className="max-w-48">
            <Bookmark aria-hidden className="size-3.5" />
            <span className="truncate">{shown === undefined ? "Views" : `View: ${shown.name}`}</span>
            <ChevronDown aria-hidden className="size-3.5 text-text-3" />
          </Button>
        }
      >
        {(menu) => (
          <ViewsMenu
            {...menu}
            views={views}
            shown={shown}
            onChoose={(view) => onApply(readFilters(view.settings), view.settings.columns)}
            onSave={() => setOpen("save")}
            onManage={() => setOpen("manage")}
          />
        )}
      </LazyMenu>
      {open === null ? null : (
        <Suspense>
          {open === "save" ? (
            <SaveViewDialog settings={current} onClose={() => setOpen(null)} />
          ) : (
            <ManageViewsDialog views={views} current={current} onClose={() => setOpen(null)} />
          )}
        </Suspense>
      )}
    </>
  );
}

/** The server keeps no order of keys. */
function textOf({ filters, columns, order }: SavedView["settings"]): string {
  const known = Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([known, [...columns].sort(), order]);
}
