import type { Metadata } from "next";
import { findPageSession } from "#lib/api/auth/page-session";
import { readApiReference } from "#lib/api/openapi/api-reference";
import { ApiReferenceBody } from "@/components/pages/docs/api-reference-body";
import { MAIN_ID, PublicHeader } from "@/components/pages/docs/public-header";
import { ReferenceContents } from "@/components/pages/docs/reference-contents";

export const metadata: Metadata = {
  title: "API reference",
  description: "Call published actions and watch their runs, over REST and MCP.",
};

/** It names the address of the running instance, which the build does not know. */
export const dynamic = "force-dynamic";

export default async function ApiReferencePage() {
  const reference = readApiReference();
  const session = await findPageSession();
  return (
    <>
      <PublicHeader isSignedIn={session !== null} />
      <div className="lg:flex">
        <ReferenceContents reference={reference} />
        <main
          id={MAIN_ID}
          tabIndex={-1}
          className="focus:outline-none mx-auto flex w-full min-w-0 max-w-xl flex-col gap-12 px-4 py-8 sm:px-6"
        >
          <ApiReferenceBody reference={reference} />
        </main>
      </div>
    </>
  );
}
