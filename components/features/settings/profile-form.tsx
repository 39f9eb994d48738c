"use client";

import { updateAccountInput } from "#lib/contract/account/person-inputs";
import { useOperationForm } from "@/components/api/use-operation-form";
import { useSession } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { toast } from "@/components/ui/toast";

/** The user's name, and the address that they sign in with. */
export function ProfileForm() {
  const { user } = useSession();
  const form = useOperationForm("update_account", {
    schema: updateAccountInput,
    start: { name: user.name },
    toInput: (values) => values,
    missing: { name: "Enter your name." },
    invalidates: ["get_session", "list_members", "list_account_activity"],
    onSuccess: () => toast("Name saved."),
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <Field
        label="Your name"
        description="Shown to other members, in approvals and in the audit log."
        error={form.problem("name") ?? form.general}
        isRequired
      >
        {(control) => <Input {...control} {...form.register("name")} maxLength={100} autoComplete="name" />}
      </Field>
      <Field label="Email" description="You sign in with this address. It can't be changed.">
        {(control) => <Input {...control} type="email" readOnly value={user.email} />}
      </Field>
      <div>
        <Button type="submit" disabled={form.value("name").trim() === user.name} isBusy={form.isBusy}>
          Save name
        </Button>
      </div>
    </form>
  );
}
