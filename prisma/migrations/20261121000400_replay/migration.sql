-- True on a step_completed row whose real output stands in run_checkpoints. A replay that takes the step over must know:
-- without that checkpoint it would hand the redacted output on.
alter table execution_events add column output_sealed boolean;
