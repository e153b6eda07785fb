#!/bin/sh
# Random keys and passwords for compose.yaml, in a folder that only you can enter. What is there already stays.
set -eu
umask 077
folder=$(dirname "$0")/secrets
mkdir -p "$folder"

random() { openssl rand -hex 24; }

# Readable by the users of the containers, behind a folder that nobody else enters.
put() {
  [ -e "$folder/$1" ] && return
  printf '%s\n' "$2" > "$folder/$1.part"
  chmod 444 "$folder/$1.part"
  mv "$folder/$1.part" "$folder/$1"
}

put api-key "lad_live_$(random)"
put seal-key "$(openssl rand -base64 32)"
put vault-key "$(openssl rand -base64 32)"
put metrics-key "$(random)"
put postgres-password "$(random)"
put clickhouse-password "$(random)"
put redis-password "$(random)"
put database-url "postgres://lading_server:$(cat "$folder/postgres-password")@postgres:5432/lading"
put clickhouse-url "http://lading:$(cat "$folder/clickhouse-password")@clickhouse:8123/lading"
put redis-url "redis://:$(cat "$folder/redis-password")@redis:6379"
put redis-conf "requirepass $(cat "$folder/redis-password")
save \"\"
maxmemory 256mb
maxmemory-policy noeviction"
