-- Workers that have room and found nothing they may take. Only take_runs writes it, behind the lock of all workers.
create table idle_workers (pool_id text primary key);
