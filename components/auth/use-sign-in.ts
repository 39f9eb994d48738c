"use client";

import { type FormEvent, useRef, useState } from "react";
import { messageOfSignInError, signInWithPassword } from "@/components/auth/sign-in";

interface Missing {
  email?: string;
  password?: string;
}

/**
 * The sign-in form's state. On success the whole page is loaded anew, so that nothing of a former session stays.
 * @param returnTo a path of this site
 * @param initialError next-auth's error code, when it sent the person here
 */
export function useSignIn(returnTo: string, initialError: string | null) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [missing, setMissing] = useState<Missing>({});
  const [error, setError] = useState(initialError === null ? null : messageOfSignInError(initialError));
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  function focus(field: string) {
    form.current?.querySelector<HTMLInputElement>(`[name=${field}]`)?.focus();
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
    const refusal = await signInWithPassword(email, password);
    if (refusal === null) return window.location.assign(returnTo);
    setIsBusy(false);
    setError(refusal);
    focus("password");
  }

  return { form, submit, email, setEmail, password, setPassword, missing, error, isBusy };
}
