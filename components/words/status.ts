import {
  Check,
  CircleDashed,
  CircleMinus,
  ClockAlert,
  CornerDownRight,
  Hand,
  LoaderCircle,
  type LucideIcon,
  Slash,
  TriangleAlert,
  X,
} from "lucide-react";
import type { StepStatus } from "#lib/contract/journal";
import type { RunStatus } from "#lib/contract/run";
import type { Tone } from "@/components/ui/chip";

export interface StatusLook {
  tone: Tone;
  icon: LucideIcon;
  word: string;
  isSpinning?: boolean;
}

const QUEUED: StatusLook = { tone: "idle", icon: CircleDashed, word: "Queued" };
const RUNNING: StatusLook = { tone: "run", icon: LoaderCircle, word: "Running", isSpinning: true };
const WAITING: StatusLook = { tone: "wait", icon: Hand, word: "Waiting for approval" };
const SUCCEEDED: StatusLook = { tone: "ok", icon: Check, word: "Succeeded" };
const FAILED: StatusLook = { tone: "err", icon: X, word: "Failed" };
const TIMED_OUT: StatusLook = { tone: "timeout", icon: ClockAlert, word: "Timed out" };

/** Icon, word and color of every run status. */
export const RUN_STATUS_LOOK: Record<RunStatus, StatusLook> = {
  accepted: QUEUED,
  running: RUNNING,
  waiting_for_approval: WAITING,
  succeeded: SUCCEEDED,
  failed: FAILED,
  cancelled: { tone: "idle", icon: Slash, word: "Cancelled" },
  timed_out: TIMED_OUT,
};

/** The same for a step; `not_reached` is a node of the definition that no event names. */
export const STEP_STATUS_LOOK: Record<StepStatus | "not_reached", StatusLook> = {
  started: RUNNING,
  completed: SUCCEEDED,
  failed: FAILED,
  failed_continued: { tone: "warn", icon: TriangleAlert, word: "Failed, continued" },
  skipped: { tone: "idle", icon: CornerDownRight, word: "Skipped" },
  timed_out: TIMED_OUT,
  pending_approval: WAITING,
  not_reached: { tone: "idle", icon: CircleMinus, word: "Not reached" },
};
