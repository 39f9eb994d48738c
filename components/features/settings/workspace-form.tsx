"use client";

import type { WorkspaceSettings } from "#lib/contract/workspace/workspace";
import { formatCount } from "#lib/support/format/format-number";
import { ownTimeZone } from "@/components/api/shown-workspace";
import { useWorkspaceForm } from "@/components/features/settings/use-workspace-form";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";
import { Input } from "@/components/ui/forms/input";
import { Switch } from "@/components/ui/forms/switch";
import { TimeZoneSelect } from "@/components/ui/lists/time-zone-select";
import { LazyAlertDialog } from "@/components/ui/overlays/lazy-alert-dialog";

type WorkspaceFormState = ReturnType<typeof useWorkspaceForm>;

export function WorkspaceForm({ settings }: { settings: WorkspaceSettings }) {
  const isAdmin = useHasRole("admin");
  const state = useWorkspaceForm(settings);
  const { form } = state;
  return (
    <form {...form.props} className="flex flex-col gap-5">
      {isAdmin ? null : <p className="text-text-2">Admins and owners can change these.</p>}
      <Field label="Name" error={form.problem("name")} isRequired>
        {(control) => (
          <Input {...control} {...form.register("name")} maxLength={100} autoComplete="off" disabled={!isAdmin} />
        )}
      </Field>
      <Field label="Slug" description="Identifies the workspace on the command line. It can't be changed.">
        {(control) => <Input {...control} isMono readOnly value={settings.slug} />}
      </Field>
      <BehaviourFields form={form} settings={settings} isAdmin={isAdmin} />
      <FormError>{state.isConfirming ? null : form.general}</FormError>
      {isAdmin ? (
        <div>
          <Button type="submit" variant="primary" disabled={!state.isChanged} isBusy={form.isBusy}>
            Save changes
          </Button>
        </div>
      ) : null}
      <RetentionQuestion state={state} />
    </form>
  );
}

interface BehaviourFieldsProps {
  form: WorkspaceFormState["form"];
  settings: WorkspaceSettings;
  isAdmin: boolean;
}

function BehaviourFields({ form, settings, isAdmin }: BehaviourFieldsProps) {
  const byDefault = settings.default_retention_days;
  return (
    <>
      <Field label="Time zone" description="Default for new schedules. Existing schedules keep their own.">
        {(control) => (
          <TimeZoneSelect
            control={control}
            label="Time zone"
            value={form.value("time_zone")}
            first={[ownTimeZone()]}
            disabled={!isAdmin}
            onChoose={(zone) => form.set("time_zone", zone)}
          />
        )}
      </Field>
      <Field
        label="Keep ended runs for"
        hint="days"
        description={`Includes inputs, outputs and timelines. Leave it empty to use this instance's default, ${byDefault === 0 ? "forever" : formatCount(byDefault, "day")}.`}
        error={form.problem("run_retention_days")}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register("run_retention_days")}
            inputMode="numeric"
            autoComplete="off"
            placeholder={byDefault === 0 ? "Forever" : String(byDefault)}
            disabled={!isAdmin}
          />
        )}
      </Field>
      <Switch
        label="Approvals need a second person"
        description="The person who started a run, or created the API key that started it, can't approve it. They can still reject or cancel it."
        isOn={form.value("forbid_self_approval")}
        onChange={(isOn) => form.set("forbid_self_approval", isOn)}
        disabled={!isAdmin}
      />
      <Switch
        label="Redact the outputs of runs"
        description="Callers get outputs without email addresses, phone numbers and secrets, as the timeline always shows them. Outputs of runs that have already ended don't change."
        isOn={form.value("redact_outputs")}
        onChange={(isOn) => form.set("redact_outputs", isOn)}
        disabled={!isAdmin}
      />
    </>
  );
}

function RetentionQuestion({ state }: { state: WorkspaceFormState }) {
  const { form, newDays } = state;
  return (
    <LazyAlertDialog
      isOpen={state.isConfirming}
      onClose={state.cancel}
      title={`Keep runs for ${formatCount(newDays, "day")} only?`}
      confirmLabel="Save and delete older runs"
      isDestructive
      isBusy={form.isBusy}
      error={form.general}
      onConfirm={state.confirm}
    >
      <p>Runs that ended before that are permanently deleted, with their timelines. This starts immediately.</p>
    </LazyAlertDialog>
  );
}
