"use client";

import { type FormEvent, useRef, useState } from "react";
import type { SignInProvider } from "#lib/contract/web/account";
import { messageOfSignInError, signInWithPassword } from "@/components/features/accounts/sign-in";
import { enterWorkspace } from "@/components/shell/enter-workspace";

/** An invite for somebody who has an account: they accept it by signing in. */
export interface SignInInvite {
  token: string;
  email: string;
  workspaceId: string;
  workspaceName: string;
}

/** An account of another service, connected by the password of the one with the same address. */
export interface SignInLink {
  token: string;
  provider: SignInProvider;
  email: string;
}

/** What else happens when the password is right; both come with the address it is about. */
export interface SignInErrand {
  invite?: SignInInvite;
  link?: SignInLink;
}

interface Missing {
  email?: string;
  password?: string;
}

/**
 * The sign-in form's state. On success the whole page is loaded anew, so that nothing of a former session stays.
 * @param returnTo a path of this site
 * @param initialError next-auth's error code, when it sent the person here
 */
export function useSignIn(returnTo: string, initialError: string | null, { invite, link }: SignInErrand) {
  const [email, setEmail] = useState(invite?.email ?? link?.email ?? "");
  const [password, setPassword] = useState("");
  const [missing, setMissing] = useState<Missing>({});
  const [error, setError] = useState(initialError === null ? null : messageOfSignInError(initialError));
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  function focus(field: string) {
    form.current?.querySelector<HTMLInputElement>(`[name=${field}]`)?.focus();
  }

  async function leave() {
    if (invite === undefined) return window.location.assign(returnTo);
    // Signed in they are in any case; the workspace can be chosen again.
    await enterWorkspace(invite.workspaceId).catch(() => window.location.assign(returnTo));
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const found: Missing = {
      ...(email.trim() === "" ? { email: "Enter your e-mail address." } : {}),
      ...(password === "" ? { password: "Enter your password." } : {}),
    };
    setMissing(found);
    setError(null);
    const [first] = Object.keys(found);
    if (first !== undefined) return focus(first);
    setIsBusy(true);
    const refusal = await signInWithPassword(email, password, {
      ...(invite === undefined ? {} : { invite: invite.token }),
      ...(link === undefined ? {} : { link: link.token }),
    });
    if (refusal === null) return leave();
    setIsBusy(false);
    setError(refusal);
    focus("password");
  }

  return { form, submit, email, setEmail, password, setPassword, missing, error, isBusy };
}
