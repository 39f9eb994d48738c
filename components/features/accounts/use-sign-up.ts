"use client";

import { signUpInput } from "#lib/contract/inputs/person-inputs";
import { checkBySchema } from "@/components/api/form-faults";
import { postJson } from "@/components/api/post-json";
import { ownTimeZone } from "@/components/api/shown-workspace";
import { useCheckedForm } from "@/components/api/use-checked-form";
import { signInWithPassword } from "@/components/features/accounts/sign-in";

const MISSING = {
  name: "Enter your name.",
  workspace_name: "Enter a name for the workspace.",
  email: "Enter your email address.",
  password: "Choose a password.",
};

/** The sign-up form. An invite fixes the address and joins a workspace instead of creating one. */
export function useSignUp({ invite, email }: { invite: string | null; email: string | null }) {
  const isJoining = email !== null;
  const start = { name: "", workspace_name: "", email: email ?? "", password: "" };
  const toInput = ({ workspace_name: workspaceName, ...account }: typeof start) => ({
    ...account,
    ...(isJoining ? {} : { workspace_name: workspaceName }),
    ...(invite === null ? { time_zone: ownTimeZone() } : { invite }),
  });
  const form = useCheckedForm({
    start,
    check: (values) => checkBySchema(signUpInput, toInput(values), { values, missing: MISSING }),
    about: { EMAIL_TAKEN: "email" },
    send: async (values) => {
      await postJson("/api/sign-up", toInput(values));
      await signInWithPassword(values.email, values.password);
      window.location.assign("/workflows");
    },
  });
  return { form, isJoining };
}
