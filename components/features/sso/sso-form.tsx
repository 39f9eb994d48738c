"use client";

import type { GroupRole, SsoState } from "#lib/contract/account/sso";
import { ROLES } from "#lib/contract/workspace/roles";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { useCheckedForm } from "@/components/api/use-checked-form";
import { needsConfirmation, useConfirmation } from "@/components/features/two-step/use-confirmation";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { FormError } from "@/components/ui/forms/form-error";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { Textarea } from "@/components/ui/forms/textarea";
import { toast } from "@/components/ui/toast";

const NO_ONE = "";

/** Maps the groups of a provider to roles of the workspace. */
export function SsoForm({ state: { providers, session_provider: sessionProvider, rule } }: { state: SsoState }) {
  const confirmation = useConfirmation();
  const change = useOperationMutation("set_sso_rule", {
    invalidates: ["get_sso", "list_members"],
    onSuccess: () => toast("Single sign-on saved."),
  });
  const start = {
    provider: rule?.provider ?? "",
    groups: groupLinesOf(rule?.group_roles ?? []),
    defaultRole: rule?.default_role ?? NO_ONE,
    domains: rule?.email_domains.join(", ") ?? "",
  };
  const form = useCheckedForm({
    start,
    check: ({ provider, groups }) => {
      const { faultyLine } = readGroupLines(groups);
      const byField: Record<string, string> = {};
      if (provider !== "" && faultyLine !== null) {
        byField.groups = `Line ${faultyLine}: write a group, an equals sign and one of ${GRANTED_ROLES.join(", ")}.`;
      }
      return { byField, general: null };
    },
    send: (values) => save(inputOf(values)),
  });
  async function save(input: Parameters<typeof change.mutateAsync>[0]) {
    await change.mutateAsync(input).catch((error: Error) => {
      if (needsConfirmation(error)) confirmation.onError(error, () => void save(input));
    });
  }
  const chosen = providers.find(({ name }) => name === form.value("provider"));
  const rows = Math.min(12, Math.max(4, start.groups.split("\n").length));
  const problem = needsConfirmation(change.error) ? null : (change.error?.message ?? null);
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <Field label="Provider" description="People who sign in with this provider become members.">
        {(control) => (
          <Select {...control} {...form.register("provider")}>
            <option value="">None</option>
            {rule !== null && !providers.some(({ name }) => name === rule.provider) ? (
              <option value={rule.provider}>{rule.provider} (no longer set up)</option>
            ) : null}
            {providers.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {form.value("provider") === "" ? null : (
        <>
          <Field
            label="Groups and roles"
            description={`One per line, such as: Support team = viewer. The highest role applies. ${ownGroupsWords(chosen, sessionProvider)}`}
            error={form.problem("groups")}
          >
            {(control) => <Textarea {...control} {...form.register("groups")} rows={rows} spellCheck={false} />}
          </Field>
          <Field label="Everyone else" description="The role of people who aren't in a listed group.">
            {(control) => (
              <Select {...control} {...form.register("defaultRole")}>
                <option value={NO_ONE}>No access</option>
                {GRANTED_ROLES.map((role) => (
                  <option key={role} value={role}>
                    {role}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Email domains" description="Separate with commas. Leave it empty to allow every domain.">
            {(control) => (
              <Input {...control} {...form.register("domains")} placeholder="example.com" autoComplete="off" />
            )}
          </Field>
        </>
      )}
      <FormError>{form.general ?? problem}</FormError>
      <div>
        <Button type="submit" isBusy={form.isBusy || change.isPending}>
          Save single sign-on
        </Button>
      </div>
      {confirmation.dialog}
    </form>
  );
}

function ownGroupsWords(provider: SsoState["providers"][number] | undefined, sessionProvider: string | null): string {
  if (provider?.name !== sessionProvider) return "Sign out and sign in with the provider before you save.";
  const groups = provider?.own_groups ?? null;
  if (groups === null) return "Your last sign-in sent no groups.";
  if (groups.length === 0) return "Your last sign-in sent an empty list of groups.";
  return `Your own groups: ${groups.slice(0, 10).join(", ")}${groups.length > 10 ? ", …" : ""}.`;
}

interface Values {
  provider: string;
  groups: string;
  defaultRole: string;
  domains: string;
}

function inputOf({ provider, groups, defaultRole, domains }: Values) {
  if (provider === "") return { rule: null };
  return {
    rule: {
      provider,
      group_roles: readGroupLines(groups).groups,
      default_role: GRANTED_ROLES.find((role) => role === defaultRole) ?? null,
      email_domains: domains.split(",").flatMap((domain) => domain.trim() || []),
    },
  };
}

/** The roles that a group can give. */
const GRANTED_ROLES = ROLES.filter((role) => role !== "owner");

/** Returns the groups and their roles as text, one to a line. */
function groupLinesOf(groups: readonly GroupRole[]): string {
  return groups.map(({ group, role }) => `${group} = ${role}`).join("\n");
}

/** Reads lines such as `Support team = viewer`. Returns the number of the first line that has no role. */
function readGroupLines(text: string): { groups: GroupRole[]; faultyLine: number | null } {
  const groups: GroupRole[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const at = line.lastIndexOf("=");
    const group = line.slice(0, at).trim();
    const written = line
      .slice(at + 1)
      .trim()
      .toLowerCase();
    const role = GRANTED_ROLES.find((known) => known === written);
    if (at < 0 || group === "" || role === undefined) return { groups, faultyLine: index + 1 };
    groups.push({ group, role });
  }
  return { groups, faultyLine: null };
}
