-- The disk with the least free space for new rows. Each table can use the disk with the most free space of its storage
-- policy; the table with the least free space counts.
SELECT
  argMin(tables.best, tables.space).1 AS disk,
  argMin(tables.best, tables.space).2 AS path,
  toFloat64(min(tables.space)) AS room
FROM (
  SELECT
    kept.name AS name,
    argMax((disks.name, disks.path), disks.unreserved_space) AS best,
    max(disks.unreserved_space) AS space
  FROM system.tables AS kept
  INNER JOIN (SELECT policy_name, arrayJoin(disks) AS disk FROM system.storage_policies) AS policies
    ON policies.policy_name = kept.storage_policy
  INNER JOIN system.disks AS disks ON disks.name = policies.disk
  WHERE kept.database = {database:String} AND kept.storage_policy != ''
  GROUP BY name
) AS tables
HAVING count() > 0
