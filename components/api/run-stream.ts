import type { WorkflowNotice } from "#lib/contract/workflow/presence";
import { shownWorkspaceId } from "@/components/api/shown-workspace";

/**
 * One stream of changes per tab, however many components listen. It is closed while the tab is hidden: browsers allow
 * six connections to a server over HTTP/1.1, and six forgotten tabs must not block the seventh.
 */
type RunListener = (runId: string) => void;
type NoticeListener = (notice: WorkflowNotice) => void;
type StateListener = () => void;

const runListeners = new Set<RunListener>();
const noticeListeners = new Set<NoticeListener>();
const stateListeners = new Set<StateListener>();
/** The browser doesn't reopen a refused stream, so we try after this time. */
const REOPEN_MS = 5_000;

let source: EventSource | null = null;
let reopening: ReturnType<typeof setTimeout> | undefined;
let isOpen = false;

export function subscribeToRunChanges(onRun: RunListener): () => void {
  runListeners.add(onRun);
  return follow(() => runListeners.delete(onRun));
}

/** Who has a workflow of the workspace open, and who changed it. */
export function subscribeToWorkflowNotices(onNotice: NoticeListener): () => void {
  noticeListeners.add(onNotice);
  return follow(() => noticeListeners.delete(onNotice));
}

/** Opens the stream with the first listener and closes it with the last. */
function follow(remove: () => void): () => void {
  if (runListeners.size + noticeListeners.size === 1) {
    document.addEventListener("visibilitychange", followVisibility);
    followVisibility();
  }
  return () => {
    remove();
    if (runListeners.size + noticeListeners.size > 0) return;
    document.removeEventListener("visibilitychange", followVisibility);
    close();
  };
}

export function subscribeToStreamState(onState: StateListener): () => void {
  stateListeners.add(onState);
  return () => void stateListeners.delete(onState);
}

/** Also false while it reconnects; callers that need fresh data then have to poll. */
export function isStreamOpen(): boolean {
  return isOpen;
}

function followVisibility(): void {
  if (document.hidden) close();
  else if (source === null) open();
}

function open(): void {
  const workspaceId = shownWorkspaceId();
  const opened = new EventSource(workspaceId === null ? "/api/stream" : `/api/stream?workspace=${workspaceId}`);
  source = opened;
  opened.addEventListener("open", () => setOpen(true));
  opened.addEventListener("error", () => {
    setOpen(false);
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
    source = null;
    reopening = setTimeout(followVisibility, REOPEN_MS);
  });
  opened.addEventListener("run_changed", (event) => {
    const runId = readRunId(event.data);
    if (runId !== null) for (const listener of runListeners) listener(runId);
  });
  opened.addEventListener("workflow_notice", (event) => {
    const notice = readNotice(event.data);
    if (notice !== null) for (const listener of noticeListeners) listener(notice);
  });
}

/** Our own server wrote and checked it; a schema's code would add to every page. */
function readNotice(data: unknown): WorkflowNotice | null {
  try {
    const notice: unknown = JSON.parse(String(data));
    return typeof notice === "object" && notice !== null && "workflow_id" in notice ? (notice as WorkflowNotice) : null;
  } catch {
    return null;
  }
}

function close(): void {
  clearTimeout(reopening);
  source?.close();
  source = null;
  setOpen(false);
}

function setOpen(next: boolean): void {
  if (isOpen === next) return;
  isOpen = next;
  for (const listener of stateListeners) listener();
}

function readRunId(data: unknown): string | null {
  try {
    const message: unknown = JSON.parse(String(data));
    if (typeof message !== "object" || message === null || !("run_id" in message)) return null;
    return typeof message.run_id === "string" ? message.run_id : null;
  } catch {
    return null;
  }
}
