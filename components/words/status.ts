import {
  Check,
  CircleDashed,
  CircleMinus,
  CircleStop,
  ClockAlert,
  CornerDownRight,
  Hand,
  LoaderCircle,
  type LucideIcon,
  Slash,
  Timer,
  TriangleAlert,
  X,
} from "lucide-react";
import type { StepItem, StepStatus } from "#lib/contract/run/journal";
import type { RunStatus } from "#lib/contract/run/run";
import type { Tone } from "@/components/ui/chip";
import { RUN_STATUS_WORDS } from "@/components/words/run-status-words";

export interface StatusLook {
  tone: Tone;
  icon: LucideIcon;
  word: string;
  isSpinning?: boolean;
}

const QUEUED: StatusLook = { tone: "idle", icon: CircleDashed, word: RUN_STATUS_WORDS.accepted };
const RUNNING: StatusLook = { tone: "run", icon: LoaderCircle, word: RUN_STATUS_WORDS.running, isSpinning: true };
const WAITING: StatusLook = { tone: "wait", icon: Hand, word: RUN_STATUS_WORDS.waiting_for_approval };
const SUCCEEDED: StatusLook = { tone: "ok", icon: Check, word: RUN_STATUS_WORDS.succeeded };
const FAILED: StatusLook = { tone: "err", icon: X, word: RUN_STATUS_WORDS.failed };
const CANCELLED: StatusLook = { tone: "idle", icon: Slash, word: RUN_STATUS_WORDS.cancelled };
const TIMED_OUT: StatusLook = { tone: "timeout", icon: ClockAlert, word: RUN_STATUS_WORDS.timed_out };

/** Icon, word and color of every run status. */
export const RUN_STATUS_LOOK: Record<RunStatus, StatusLook> = {
  accepted: QUEUED,
  running: RUNNING,
  waiting_for_approval: WAITING,
  succeeded: SUCCEEDED,
  failed: FAILED,
  cancelled: CANCELLED,
  timed_out: TIMED_OUT,
};

/**
 * The status of a step as it is shown. `not_reached` is a node of the definition that no event names; a step that has
 * started and does nothing but wait names what it waits for.
 */
export type ShownStepStatus = StepStatus | "not_reached" | keyof typeof WAIT_LOOKS;

const WAIT_LOOKS = {
  waiting_for_delay: { tone: "wait", icon: Timer, word: "Waiting for a delay" },
  waiting_for_callback: { tone: "wait", icon: Timer, word: "Waiting for a callback" },
} satisfies Record<string, StatusLook>;

/** The steps that do nothing but wait while they are started. */
const WAIT_STATUSES: Readonly<Record<string, keyof typeof WAIT_LOOKS>> = {
  delay: "waiting_for_delay",
  wait_for_callback: "waiting_for_callback",
};

export const isWaitStep = ({ type }: Pick<StepItem, "type">): boolean => type in WAIT_STATUSES;

/** Returns the status to show for a step of a run. */
export function shownStatusOf({ type, status }: Pick<StepItem, "type" | "status">): ShownStepStatus {
  return status === "started" ? (WAIT_STATUSES[type] ?? status) : status;
}

/** Returns true for a step that has started and not ended, other than one that waits for an approval. */
export const isStarted = (status: ShownStepStatus): boolean => status === "started" || status in WAIT_LOOKS;

/** Icon, word and color of every status of a step. */
export const STEP_STATUS_LOOK: Record<ShownStepStatus, StatusLook> = {
  ...WAIT_LOOKS,
  started: RUNNING,
  completed: SUCCEEDED,
  failed: FAILED,
  failed_continued: { tone: "warn", icon: TriangleAlert, word: "Failed, continued" },
  skipped: { tone: "idle", icon: CornerDownRight, word: "Skipped" },
  timed_out: TIMED_OUT,
  pending_approval: WAITING,
  cancelled: CANCELLED,
  stopped: { tone: "idle", icon: CircleStop, word: "Stopped" },
  not_reached: { tone: "idle", icon: CircleMinus, word: "Not reached" },
};
