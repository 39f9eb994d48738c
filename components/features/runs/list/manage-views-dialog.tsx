"use client";

import { Trash2 } from "lucide-react";
import { useState } from "react";
import { LIST_LIMITS } from "#lib/contract/limits/list-limits";
import type { SavedView, SavedViewSettings } from "#lib/contract/run/run-list";
import { savedViewChangesInput } from "#lib/contract/run/saved-view-inputs";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { useOperationForm } from "@/components/api/use-operation-form";
import { useHasRole } from "@/components/shell/session-context";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { IconButton } from "@/components/ui/icon-button";
import { Dialog } from "@/components/ui/overlays/dialog";

interface ManageViewsDialogProps {
  views: readonly SavedView[];
  /** What the page shows, to replace what a view shows. */
  current: SavedViewSettings;
  onClose: () => void;
}

export function ManageViewsDialog({ views, current, onClose }: ManageViewsDialogProps) {
  const isEditor = useHasRole("editor");
  const [renamedId, setRenamedId] = useState<string | null>(null);
  return (
    <Dialog isOpen onClose={onClose} size="lg" title="Saved views" footer={<Button onClick={onClose}>Done</Button>}>
      {views.length === 0 ? <p className="text-text-2">There are no saved views.</p> : null}
      <ul className="divide-y divide-border">
        {views.map((view) => (
          <li key={view.view_id} className="flex flex-wrap items-center gap-2 py-2">
            {renamedId === view.view_id ? (
              <RenameForm view={view} onDone={() => setRenamedId(null)} />
            ) : (
              <ViewRow
                view={view}
                current={current}
                canChange={isEditor || !view.is_shared}
                onRename={() => setRenamedId(view.view_id)}
              />
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface ViewRowProps {
  view: SavedView;
  current: SavedViewSettings;
  canChange: boolean;
  onRename: () => void;
}

function ViewRow({ view, current, canChange, onRename }: ViewRowProps) {
  const replace = useOperationMutation("update_saved_view", { invalidates: ["list_saved_views"] });
  const remove = useOperationMutation("delete_saved_view", { invalidates: ["list_saved_views"] });
  const failure = replace.error ?? remove.error;
  const { view_id } = view;
  const replaceWords = replace.isSuccess ? "Replaced" : "Replace with this page";
  return (
    <>
      <span className="min-w-0 flex-1 truncate font-medium">
        {view.name} {view.is_shared ? <Badge>Workspace</Badge> : null}
      </span>
      {canChange ? (
        <>
          <Button size="sm" onClick={onRename} aria-label={`Rename ${view.name}`}>
            Rename
          </Button>
          <Button
            size="sm"
            isBusy={replace.isPending}
            aria-label={`${replaceWords}: ${view.name}`}
            onClick={() => replace.mutate({ view_id, settings: current })}
          >
            {replaceWords}
          </Button>
          <IconButton
            icon={Trash2}
            label={`Delete ${view.name}`}
            size="sm"
            onClick={() => remove.mutate({ view_id })}
          />
        </>
      ) : null}
      {failure === null ? null : (
        <p role="alert" className="basis-full text-dense text-err">
          {failure.message}
        </p>
      )}
    </>
  );
}

function RenameForm({ view, onDone }: { view: SavedView; onDone: () => void }) {
  const form = useOperationForm("update_saved_view", {
    schema: savedViewChangesInput,
    start: { name: view.name },
    toInput: ({ name }) => ({ view_id: view.view_id, name: name.trim() }),
    invalidates: ["list_saved_views"],
    onSuccess: onDone,
  });
  return (
    <form {...form.props} className="flex flex-1 flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1">
        <Field label={`New name of ${view.name}`} error={form.problem("name") ?? form.general}>
          {(control) => (
            <Input
              {...control}
              {...form.register("name")}
              autoFocus
              autoComplete="off"
              maxLength={LIST_LIMITS.savedViewNameCharacters}
            />
          )}
        </Field>
      </div>
      <Button size="sm" onClick={onDone}>
        Cancel
      </Button>
      <Button size="sm" type="submit" variant="primary" isBusy={form.isBusy}>
        Rename
      </Button>
    </form>
  );
}
