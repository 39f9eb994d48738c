-- What a test event's retention looks for.
create index webhook_tests_kept on webhook_tests (received_at) where event_sealed is not null;
