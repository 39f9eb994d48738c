"use client";

import type { ActionDetailObject } from "#lib/contract/action/action";
import { currentSchema } from "#lib/core/input/input-aliases";
import { useOperation } from "@/components/api/operation-hooks";
import { ActionAvailability } from "@/components/features/actions/action-availability";
import { APPROVAL_POLICY_WORDS } from "@/components/features/actions/approval-policy";
import { SchemaTable } from "@/components/features/actions/schema-table";
import { describeActivity } from "@/components/features/actions/show-activity";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { Facts } from "@/components/ui/lists/facts";
import { Section } from "@/components/ui/lists/section";
import { RelativeTime } from "@/components/words/relative-time";

export function ActionOverview({ action }: { action: ActionDetailObject }) {
  const activity = useOperation("list_action_activity", { slugs: [action.slug] }, { staleTime: 60_000 }).data?.data[0];
  return (
    <div className="flex max-w-2xl flex-col gap-8">
      {action.description === null ? null : <p className="text-title whitespace-pre-line">{action.description}</p>}
      <Facts
        facts={[
          {
            label: "Slug",
            value: (
              <span className="inline-flex items-center gap-1">
                <code className="font-mono text-dense">{action.slug}</code>
                <CopyButton value={action.slug} label="Copy slug" />
              </span>
            ),
          },
          {
            label: "Workflow",
            value: (
              <Link href={`/workflows/${action.workflow_id}`} className="link">
                {action.name}
              </Link>
            ),
          },
          { label: "Release", value: `v${action.release_version}` },
          { label: "Approval", value: APPROVAL_POLICY_WORDS[action.approval_policy].long },
          { label: "Calls, 7 days", value: activity === undefined ? "" : describeActivity(activity) },
          { label: "Published", value: <RelativeTime at={action.created_at} /> },
          { label: "Updated", value: <RelativeTime at={action.updated_at} /> },
        ]}
      />
      <Section title="Input from callers">
        <SchemaTable properties={action.inputSchema.properties} required={currentSchema(action.inputSchema).required} />
      </Section>
      <ActionAvailability action={action} />
    </div>
  );
}
