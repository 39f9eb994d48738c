"use client";

import { LIST_LIMITS } from "#lib/contract/limits/list-limits";
import type { SavedViewSettings } from "#lib/contract/run/run-list";
import { savedViewInput } from "#lib/contract/run/saved-view-inputs";
import { useOperationForm } from "@/components/api/use-operation-form";
import { useHasRole } from "@/components/shell/session-context";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { FormDialog } from "@/components/ui/overlays/form-dialog";

interface SaveViewDialogProps {
  settings: SavedViewSettings;
  onClose: () => void;
}

/** Saves the filters, columns and order that the page shows. */
export function SaveViewDialog({ settings, onClose }: SaveViewDialogProps) {
  const canShare = useHasRole("editor");
  const form = useOperationForm("create_saved_view", {
    schema: savedViewInput,
    start: { name: "", is_shared: false },
    toInput: ({ name, is_shared }) => ({ name: name.trim(), is_shared, settings }),
    invalidates: ["list_saved_views"],
    onSuccess: onClose,
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Save this view"
      description="Keeps the filters, the columns and the order."
      submitLabel="Save view"
    >
      <Field label="Name" error={form.problem("name") ?? form.general}>
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
      {canShare ? (
        <Checkbox
          label="Share with the workspace"
          description="Everyone sees it, and editors can change it."
          isChecked={form.value("is_shared")}
          onChange={(isShared) => form.set("is_shared", isShared)}
        />
      ) : null}
    </FormDialog>
  );
}
