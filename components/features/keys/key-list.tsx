"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { LIST_LIMITS } from "#lib/contract/limits/list-limits";
import type { KeyListObject } from "#lib/contract/wire/web";
import { formatCount, formatNumber } from "#lib/support/format/format-number";
import { callOperation } from "@/components/api/call-operation";
import { operationKey } from "@/components/api/operation-hooks";
import { deriveRotations, isFreshReplacement } from "@/components/features/keys/derive-rotation";
import { KeyDialogs, type OpenKeyDialog } from "@/components/features/keys/key-dialogs";
import { KEY_TABLE_COLUMNS, KeyTable } from "@/components/features/keys/key-table";
import { useHasRole } from "@/components/shell/session-context";
import { useShortcuts } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { PageHeader } from "@/components/ui/lists/page-header";
import { QueryView } from "@/components/ui/lists/query-view";
import { ShowMore } from "@/components/ui/lists/show-more";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { TableSkeleton } from "@/components/ui/lists/table-skeleton";
import { flagCodec, textCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const RotationCard = lazy(() =>
  import("@/components/features/keys/rotation-card").then((m) => ({ default: m.RotationCard })),
);

const CODECS = { new: flagCodec, action: textCodec };

export function KeyList() {
  if (useHasRole("admin")) return <AdminKeyList />;
  return (
    <>
      <PageHeader title="API keys" />
      <EmptyState icon={KeyRound} title="You need the admin role to manage API keys">
        Ask an admin or the owner of this workspace for a key.
      </EmptyState>
    </>
  );
}

function AdminKeyList() {
  const [{ new: isCreating, action }, setUrl] = useUrlState(CODECS);
  const [open, setOpen] = useState<OpenKeyDialog>(null);
  const { query, quota, isFull, keys } = useKeyPages();
  const canCreate = quota !== undefined && !isFull;
  const isEmpty = quota !== undefined && keys.length === 0;
  useShortcuts({ n: () => (canCreate ? setUrl({ new: true }) : undefined) });
  const create = (
    <Button
      variant="primary"
      disabled={!canCreate}
      aria-describedby={isFull ? "key-quota" : undefined}
      onClick={() => setUrl({ new: true })}
    >
      <Plus aria-hidden className="size-4" />
      New key
    </Button>
  );
  return (
    <>
      <PageHeader title="API keys" actions={isEmpty ? undefined : create} />
      <QuotaLine quota={quota} />
      <Suspense>
        {deriveRotations(keys, query.dataUpdatedAt).map((rotation) => (
          <RotationCard
            key={rotation.replacement.key_id}
            rotation={rotation}
            onRevoke={(subject, warning) => setOpen({ kind: "revoke", subject, warning })}
          />
        ))}
      </Suspense>
      <QueryView
        query={query}
        skeleton={<TableSkeleton columns={KEY_TABLE_COLUMNS} label="Loading keys" rows={3} />}
        errorTitle="Couldn't load the keys."
      >
        {() => (isEmpty ? <NoKeys create={create} /> : <KeyTable keys={keys} onOpen={setOpen} />)}
      </QueryView>
      <ShowMore query={query} />
      <KeyDialogs
        open={open ?? (isCreating && canCreate ? { kind: "create" } : null)}
        hasRoom={!isFull}
        action={action}
        onChange={(next) => {
          setUrl({ new: false, action: "" });
          setOpen(next);
        }}
      />
    </>
  );
}

function NoKeys({ create }: { create: ReactNode }) {
  return (
    <EmptyState icon={KeyRound} title="No keys yet" action={create}>
      Every call needs a key. Create one for each agent or integration, so you can revoke them separately.
    </EmptyState>
  );
}

function QuotaLine({ quota }: { quota: KeyListObject["quota"] | undefined }) {
  return (
    <p id="key-quota" className="border-b border-border px-4 py-2 text-text-2">
      {quota === undefined ? <Skeleton className="my-1 h-3 w-56" /> : quotaWords(quota)}
    </p>
  );
}

function quotaWords({ used, limit, plan }: KeyListObject["quota"]): string {
  if (limit === null) return `${formatCount(used, "active key")}. The ${plan} plan has no limit.`;
  const words = `${formatNumber(used)} of ${formatCount(limit, "active key")} on the ${plan} plan.`;
  return used >= limit ? `${words} Revoke one to make room. Revoked and expired keys don't count.` : words;
}

/** The poll interval while a rotation waits for a key to be used. */
const ROTATION_MS = 5_000;

/**
 * Returns all keys loaded so far, newest first, with the plan's quota; `isFull` means that no further key can be
 * created.
 */
function useKeyPages() {
  const query = useInfiniteQuery({
    queryKey: operationKey("list_keys"),
    queryFn: ({ pageParam, signal }) =>
      callOperation(
        "list_keys",
        { limit: LIST_LIMITS.pageSizeMax, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) => {
      const nowMs = Date.now();
      const isWaiting = state.data?.pages.some((page) => page.data.some((key) => isFreshReplacement(key, nowMs)));
      return isWaiting ? ROTATION_MS : false;
    },
  });
  const quota: KeyListObject["quota"] | undefined = query.data?.pages[0]?.quota;
  const isFull = quota !== undefined && quota.limit !== null && quota.used >= quota.limit;
  return { query, quota, isFull, keys: query.data?.pages.flatMap((page) => page.data) ?? [] };
}
