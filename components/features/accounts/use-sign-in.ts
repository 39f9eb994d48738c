"use client";

import { useState } from "react";
import type { PasskeyProof } from "#lib/contract/account/account";
import { useCheckedForm } from "@/components/api/use-checked-form";
import {
  messageOfSignInError,
  type SignInResult,
  signInWithPasskey,
  signInWithPassword,
} from "@/components/features/accounts/sign-in";
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
  /** The name of the service, as people read it. */
  label: string;
  email: string;
}

/** What a correct password does in addition to signing in; each variant names the address it is for. */
export interface SignInErrand {
  invite?: SignInInvite;
  link?: SignInLink;
}

interface SignInStart {
  /** A path of this site. */
  returnTo: string;
  /** next-auth's error code, if it sent the user here. */
  initialError: string | null;
  /** Proves the first step, if another service sent the user here after it. */
  ticket: string | null;
}

/**
 * The sign-in form and its second step. On success the browser loads the whole page again, so that no data of a former
 * session remains.
 */
export function useSignIn({ returnTo, initialError, ticket: givenTicket }: SignInStart, errand: SignInErrand) {
  const { invite, link } = errand;
  const [refusal, setRefusal] = useState(initialError === null ? null : messageOfSignInError(initialError));
  const [ticket, setTicket] = useState(givenTicket);
  const more = {
    ...(invite === undefined ? {} : { invite: invite.token }),
    ...(link === undefined ? {} : { link: link.token }),
  };

  async function leave() {
    if (invite === undefined) return window.location.assign(returnTo);
    // They are signed in even if this fails; they can choose the workspace again.
    await enterWorkspace(invite.workspaceId).catch(() => window.location.assign(returnTo));
  }

  async function continueWith(service: string) {
    const { signIn } = await import("next-auth/react");
    await signIn(service, { callbackUrl: returnTo });
  }

  /** Returns the message of a refusal, or null. */
  async function take(result: SignInResult): Promise<string | null> {
    if (result.status === "signed_in") await leave();
    if (result.status === "connected") await continueWith(result.service);
    if (result.status === "second_factor") setTicket(result.ticket);
    return "message" in result ? result.message : null;
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
      const refused = await take(await signInWithPassword(email, password, more));
      if (refused === null) return;
      setRefusal(refused);
      form.fail("password", refused);
    },
  });

  return {
    form,
    refusal: form.general ?? refusal,
    /** Null before the first step is done. */
    ticket,
    leave,
    continueWith,
    /** Starts again at the first step. */
    restart: (message: string) => {
      setTicket(null);
      setRefusal(message === "" ? null : message);
      form.reset();
    },
    usePasskey: async (proof: PasskeyProof) => {
      setRefusal(null);
      const refused = await take(await signInWithPasskey(proof, more));
      if (refused !== null) throw new Error(refused);
    },
  };
}
