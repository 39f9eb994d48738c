"use client";

import { useMemo } from "react";
import type { WorkspaceSettings } from "#lib/contract/workspace";
import { ownTimeZone } from "@/components/api/shown-workspace";
import { useWorkspaceForm } from "@/components/features/settings/use-workspace-form";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { listTimeZones } from "@/components/ui/forms/list-time-zones";
import { Select } from "@/components/ui/forms/select";
import { Switch } from "@/components/ui/forms/switch";
import { LazyAlertDialog } from "@/components/ui/overlays/lazy-alert-dialog";

type Form = ReturnType<typeof useWorkspaceForm>;

export function WorkspaceForm({ settings }: { settings: WorkspaceSettings }) {
  const isAdmin = useHasRole("admin");
  const form = useWorkspaceForm(settings);
  return (
    <form noValidate onSubmit={form.submit} className="flex flex-col gap-5">
      {isAdmin ? null : <p className="text-text-2">Admins and owners can change these.</p>}
      <Field label="Name" error={form.problems.name} isRequired>
        {(control) => (
          <Input
            {...control}
            maxLength={100}
            autoComplete="off"
            disabled={!isAdmin}
            value={form.name}
            onChange={(event) => form.setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="Slug" description="Names the workspace on the command line. It stays as it is.">
        {(control) => <Input {...control} isMono readOnly value={settings.slug} />}
      </Field>
      <BehaviourFields form={form} settings={settings} isAdmin={isAdmin} />
      {form.error === null || form.isConfirming ? null : (
        <p role="alert" className="rounded-2 bg-err-bg px-3 py-2 text-err">
          {form.error}
        </p>
      )}
      {isAdmin ? (
        <div>
          <Button type="submit" variant="primary" disabled={!form.isChanged} isBusy={form.isBusy}>
            Save changes
          </Button>
        </div>
      ) : null}
      <RetentionQuestion form={form} />
    </form>
  );
}

interface BehaviourFieldsProps {
  form: Form;
  settings: WorkspaceSettings;
  isAdmin: boolean;
}

function BehaviourFields({ form, settings, isAdmin }: BehaviourFieldsProps) {
  const zones = useMemo(() => listTimeZones(ownTimeZone(), settings.time_zone), [settings.time_zone]);
  const byDefault = settings.default_retention_days;
  return (
    <>
      <Field label="Time zone" description="New schedules begin with it. Those there are keep theirs.">
        {(control) => (
          <Select
            {...control}
            disabled={!isAdmin}
            value={form.timeZone}
            onChange={(event) => form.setTimeZone(event.target.value)}
          >
            {zones.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Keep ended runs for"
        hint="days"
        description={`With input, output and journal. Empty: as this instance does, ${byDefault === 0 ? "for good" : `${byDefault} days`}.`}
        error={form.problems.days}
      >
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            autoComplete="off"
            placeholder={byDefault === 0 ? "For good" : String(byDefault)}
            disabled={!isAdmin}
            value={form.days}
            onChange={(event) => form.setDays(event.target.value)}
          />
        )}
      </Field>
      <Switch
        label="Approvals need a second person"
        description="Whoever started a run, or created the key that did, may not approve it. Rejecting and cancelling stay theirs."
        isOn={form.forbidsSelf}
        onChange={form.setForbidsSelf}
        disabled={!isAdmin}
      />
    </>
  );
}

function RetentionQuestion({ form }: { form: Form }) {
  return (
    <LazyAlertDialog
      isOpen={form.isConfirming}
      onClose={form.cancel}
      title={`Keep runs for ${form.newDays} ${form.newDays === 1 ? "day" : "days"} only?`}
      confirmLabel="Save and delete older runs"
      isDestructive
      isBusy={form.isBusy}
      error={form.error}
      onConfirm={form.confirm}
    >
      <p>Runs that ended before that are deleted for good, with their journals. This begins at once.</p>
    </LazyAlertDialog>
  );
}
