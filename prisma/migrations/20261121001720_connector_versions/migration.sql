-- A custom connector that is built anew must not change what runs of published workflows call: each build is a version,
-- and a workflow version keeps those it was published with. A version of a connector that nothing keeps goes with the next
-- build.
create table connector_versions (
  connector_id uuid not null references connectors (id) on delete cascade,
  version integer not null,
  definition jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (connector_id, version)
);
insert into connector_versions (connector_id, version, definition, created_at)
  select id, version, definition, updated_at from connectors;
alter table connectors drop column definition;

create table workflow_version_connectors (
  workflow_version_id uuid not null references workflow_versions (id) on delete cascade,
  slug text not null,
  connector_id uuid not null,
  connector_version integer not null,
  primary key (workflow_version_id, slug),
  foreign key (connector_id, connector_version) references connector_versions (connector_id, version) on delete cascade
);
create index workflow_version_connectors_connector_id_connector_version_idx on workflow_version_connectors (connector_id, connector_version);
insert into workflow_version_connectors (workflow_version_id, slug, connector_id, connector_version)
  select distinct v.id, c.slug, c.id, c.version
    from workflow_versions v
    cross join lateral jsonb_path_query(v.definition, '$.nodes[*] ? (@.type == "connector").data.connector') as named (slug)
    join connectors c on c.workspace_id = v.workspace_id and c.slug = named.slug #>> '{}';
