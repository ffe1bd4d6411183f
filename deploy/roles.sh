#!/bin/sh
# Run once by the PostgreSQL image on an empty volume: two roles, and a database of the owner's.
set -eu
psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 \
    --set owner_password="$OWNER_PASSWORD" --set app_password="$APP_PASSWORD" <<'SQL'
CREATE ROLE durak_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE durak_app LOGIN PASSWORD :'app_password';
CREATE DATABASE durak OWNER durak_owner;
SQL
