#!/bin/sh
# Generates the secrets of deploy/compose.yaml, one file each, in the folder that is given (deploy/secrets by default).
# Back the folder up: without encryption_keys, no stored secret can be read again.
set -eu
umask 077
folder=${1:-$(dirname "$0")/secrets}
if [ -e "$folder" ]; then
  echo "$folder exists. Its secrets belong to a database, so they are not replaced." >&2
  exit 1
fi
mkdir -p "$folder"
password=$(openssl rand -hex 24)
printf '%s' "$password" > "$folder/postgres_password"
printf 'postgres://signalbox:%s@postgres:5432/signalbox' "$password" > "$folder/database_url"
printf 'k1:%s' "$(openssl rand -base64 32)" > "$folder/encryption_keys"
openssl rand -hex 32 > "$folder/nextauth_secret"
openssl rand -hex 32 > "$folder/metrics_token"
# Compose mounts the files as they are, and the containers have users of their own. Others on this machine cannot get
# into the folder.
chmod 644 "$folder"/*
