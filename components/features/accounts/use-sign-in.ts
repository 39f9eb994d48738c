"use client";

import { useState } from "react";
import type { SignInProvider } from "#lib/contract/web/account";
import { useCheckedForm } from "@/components/api/use-checked-form";
import { messageOfSignInError, signInWithPassword } from "@/components/features/accounts/sign-in";
import { enterWorkspace } from "@/components/shell/enter-workspace";

/** An invite for a person who already has an account: they accept it by signing in. */
export interface SignInInvite {
  token: string;
  email: string;
  workspaceId: string;
  workspaceName: string;
}

/** An account of another service that the password connects to the account with the same address. */
export interface SignInLink {
  token: string;
  provider: SignInProvider;
  email: string;
}

/** What a correct password does in addition to signing in; each variant names the address it is for. */
export interface SignInErrand {
  invite?: SignInInvite;
  link?: SignInLink;
}

/**
 * The sign-in form. On success the browser loads the whole page again, so that no data of a former session remains.
 * @param returnTo a path of this site
 * @param initialError next-auth's error code, if it sent the user here
 */
export function useSignIn(returnTo: string, initialError: string | null, { invite, link }: SignInErrand) {
  const [refusal, setRefusal] = useState(initialError === null ? null : messageOfSignInError(initialError));

  async function leave() {
    if (invite === undefined) return window.location.assign(returnTo);
    // They are signed in even if this fails; they can choose the workspace again.
    await enterWorkspace(invite.workspaceId).catch(() => window.location.assign(returnTo));
  }

  const form = useCheckedForm({
    start: { email: invite?.email ?? link?.email ?? "", password: "" },
    check: ({ email, password }) => ({
      byField: {
        ...(email.trim() === "" ? { email: "Enter your email address." } : {}),
        ...(password === "" ? { password: "Enter your password." } : {}),
      },
      general: null,
    }),
    send: async ({ email, password }) => {
      setRefusal(null);
      const refused = await signInWithPassword(email, password, {
        ...(invite === undefined ? {} : { invite: invite.token }),
        ...(link === undefined ? {} : { link: link.token }),
      });
      if (refused === null) return leave();
      setRefusal(refused);
      form.fail("password", refused);
    },
  });
  return { form, refusal: form.general ?? refusal };
}
