"use client";

import { useState } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { Facts } from "@/components/ui/lists/facts";
import { SubNav } from "@/components/ui/lists/sub-nav";
import { Tabs } from "@/components/ui/lists/tabs";

const SNIPPETS = [
  {
    label: "curl",
    code: 'curl -H "Authorization: Bearer $SVC_API_KEY" https://signalbox.example/api/v1/runtime/actions',
  },
  { label: "TypeScript", code: "const { data } = await (await fetch(url, { headers })).json();" },
];

const FACTS = [
  { label: "Slug", value: <code className="font-mono text-dense">order-status</code> },
  { label: "Version", value: "4, published 3 days ago" },
  { label: "Approval", value: "Every run waits for a person" },
];

/** The content of pages. */
export function ContentSpecimens() {
  const [tab, setTab] = useState<"facts" | "links">("facts");
  return (
    <div className="flex min-w-0 flex-col gap-5 rounded-3 border border-border bg-surface p-4">
      <Tabs
        label="About the action"
        value={tab}
        onChange={setTab}
        panelClassName="pt-4"
        tabs={[
          { value: "facts", label: "Overview", content: <Facts facts={FACTS} /> },
          {
            value: "links",
            label: "Links",
            content: (
              <p>
                A sentence with{" "}
                <a className="link" href="/docs/api">
                  the reference
                </a>{" "}
                in it.
              </p>
            ),
          },
        ]}
      />
      <SubNav
        label="Pages of one entry"
        pages={[
          { href: "/design", label: "This page" },
          { href: "/workflows", label: "Another page" },
        ]}
      />
      <CodeBlock label="Call it" snippets={SNIPPETS} />
    </div>
  );
}
