"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { LIMITS } from "#lib/contract/limits";
import type { CreatedKey, KeyListObject, KeyObject } from "#lib/contract/web";
import { callOperation } from "@/components/api/call-operation";
import { invalidateOperations } from "@/components/api/operation-hooks";
import { KEY_COLUMNS, KeyTable } from "@/components/keys/key-table";
import { useHasRole } from "@/components/shell/session-context";
import { useShortcuts } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { TableSkeleton } from "@/components/ui/table-skeleton";
import { flagCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const CreateKeyDialog = lazy(() =>
  import("@/components/keys/create-key-dialog").then((m) => ({ default: m.CreateKeyDialog })),
);
const KeyCreatedDialog = lazy(() =>
  import("@/components/keys/key-created-dialog").then((m) => ({ default: m.KeyCreatedDialog })),
);
const RotateKeyDialog = lazy(() =>
  import("@/components/keys/rotate-key-dialog").then((m) => ({ default: m.RotateKeyDialog })),
);
const RevokeKeyDialog = lazy(() =>
  import("@/components/keys/revoke-key-dialog").then((m) => ({ default: m.RevokeKeyDialog })),
);

/** The dialog that is open on a key. The raw key lives in this state alone and goes with it. */
type Open =
  | { kind: "rotate" | "revoke"; subject: KeyObject }
  | { kind: "created"; subject: CreatedKey; isRotation: boolean }
  | null;

const CODECS = { new: flagCodec };

export function KeyList() {
  const isAdmin = useHasRole("admin");
  if (!isAdmin) {
    return (
      <>
        <PageHeader title="API keys" />
        <EmptyState icon={KeyRound} title="API keys need the admin role">
          Ask an admin or the owner of this workspace for a key.
        </EmptyState>
      </>
    );
  }
  return <AdminKeyList />;
}

function AdminKeyList() {
  const [{ new: isCreating }, setUrl] = useUrlState(CODECS);
  const [open, setOpen] = useState<Open>(null);
  const queryClient = useQueryClient();
  const list = useKeyPages();
  const quota = list.data?.pages[0]?.quota;
  const keys = list.data?.pages.flatMap((page) => page.data) ?? [];
  const isFull = quota !== undefined && quota.limit !== null && quota.used >= quota.limit;
  useShortcuts({ n: () => (isFull ? undefined : setUrl({ new: true })) });

  /** The list is read again only now: any sooner, and the dialog with the raw key could be swept away by it. */
  function closeAndRefresh() {
    setOpen(null);
    void invalidateOperations(queryClient, ["list_keys"]);
  }

  const create = (
    <Button
      variant="primary"
      disabled={isFull || quota === undefined}
      aria-describedby={isFull ? "key-quota" : undefined}
      onClick={() => setUrl({ new: true })}
    >
      <Plus aria-hidden className="size-4" />
      New key
    </Button>
  );

  return (
    <>
      <PageHeader title="API keys" actions={keys.length === 0 && quota !== undefined ? undefined : create} />
      <p id="key-quota" className="border-b border-border px-4 py-2 text-text-2">
        {quota === undefined ? <Skeleton className="my-1 h-3 w-56" /> : quotaWords(quota)}
      </p>
      {list.isPending ? (
        <TableSkeleton columns={KEY_COLUMNS} label="Loading keys" rows={3} />
      ) : list.data === undefined ? (
        <ErrorState
          title="The keys could not be loaded."
          error={list.error}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      ) : keys.length === 0 ? (
        <EmptyState icon={KeyRound} title="No keys yet" action={create}>
          An agent signs its calls with a key. Give each integration its own.
        </EmptyState>
      ) : (
        <>
          <KeyTable
            keys={keys}
            onRotate={(subject) => setOpen({ kind: "rotate", subject })}
            onRevoke={(subject) => setOpen({ kind: "revoke", subject })}
          />
          {list.hasNextPage ? (
            <div className="flex justify-center p-3">
              <Button onClick={() => void list.fetchNextPage()} isBusy={list.isFetchingNextPage}>
                Show more
              </Button>
            </div>
          ) : null}
        </>
      )}
      <Suspense>
        {isCreating && quota !== undefined && !isFull && open?.kind !== "created" ? (
          <CreateKeyDialog
            onClose={() => setUrl({ new: false })}
            onCreated={(subject) => {
              setUrl({ new: false });
              setOpen({ kind: "created", subject, isRotation: false });
            }}
          />
        ) : null}
        {open?.kind === "created" ? (
          <KeyCreatedDialog createdKey={open.subject} isRotation={open.isRotation} onClose={closeAndRefresh} />
        ) : null}
        {open?.kind === "rotate" && quota !== undefined ? (
          <RotateKeyDialog
            subject={open.subject}
            hasRoom={!isFull}
            onClose={() => setOpen(null)}
            onRotated={(subject) => setOpen({ kind: "created", subject, isRotation: true })}
          />
        ) : null}
        {open?.kind === "revoke" ? <RevokeKeyDialog subject={open.subject} onClose={() => setOpen(null)} /> : null}
      </Suspense>
    </>
  );
}

function useKeyPages() {
  return useInfiniteQuery({
    queryKey: ["list_keys"],
    queryFn: ({ pageParam, signal }) =>
      callOperation(
        "list_keys",
        { limit: LIMITS.pageSizeMax, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

function quotaWords({ used, limit, plan }: KeyListObject["quota"]): string {
  if (limit === null) return `${used} active ${used === 1 ? "key" : "keys"}. The ${plan} plan has no limit.`;
  const words = `${used} of ${limit} active ${limit === 1 ? "key" : "keys"} on the ${plan} plan.`;
  return used >= limit ? `${words} Revoke one to make room; revoked and expired keys do not count.` : words;
}
