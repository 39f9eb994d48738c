/** What the steps of runs write, in a partition for each week of run ids. */
export const STEP_TABLES = ["execution_events", "journal_ends", "run_checkpoints"] as const;

/** The delivery logs of triggers and of outbound events, in a partition for each week of ids. */
export const DELIVERY_TABLES = ["trigger_deliveries", "event_deliveries"] as const;

/** All tables with partitions by time; those of the audit log are months. */
export const PARTITIONED_TABLES = [...STEP_TABLES, ...DELIVERY_TABLES, "audit_events"] as const;
