-- What the processes have counted, summed over all of them and over restarts (decisions, Retention, health, metrics).
create table metric_counters (
  name text not null,
  -- As Prometheus writes them: status="succeeded",source="action".
  labels text not null,
  value double precision not null,
  primary key (name, labels)
);
