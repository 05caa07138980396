-- The versions of the schema that were applied to this database. On a cluster each server has its own table.
CREATE TABLE IF NOT EXISTS ${database}.planspan_migrations (
  Version UInt32,
  -- SHA-256 of the version's SQL
  Checksum String,
  AppliedAt DateTime DEFAULT now()
) ENGINE = MergeTree
ORDER BY Version;
