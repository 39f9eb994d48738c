"use client";

import { signInFailure } from "@/components/features/connections/sign-in";
import { Button } from "@/components/ui/button";
import { optionalTextCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const CODECS = { signed_in: optionalTextCodec, sign_in_failed: optionalTextCodec };

/** Shows the result of a sign-in at a service once, as the URL reports it. */
export function SignInNotice() {
  const [{ signed_in: connected, sign_in_failed: reason }, setUrl] = useUrlState(CODECS);
  if (connected === null && reason === null) return null;
  const isFailed = reason !== null;
  return (
    <div
      role={isFailed ? "alert" : "status"}
      className={`mx-4 my-3 flex items-center justify-between gap-3 rounded-2 px-3 py-2 ${isFailed ? "bg-err-bg text-err" : "bg-ok-bg text-ok"}`}
    >
      <p>{isFailed ? signInFailure(reason) : "Signed in."}</p>
      <Button size="sm" onClick={() => setUrl({ signed_in: null, sign_in_failed: null })}>
        Close
      </Button>
    </div>
  );
}
