-- The free space for new rows, bytes. Each table can use the disk with the most free space of its storage policy; the
-- table with the least free space counts.
SELECT toFloat64(min(room)) AS room
FROM (
  SELECT tables.name AS name, max(disks.unreserved_space) AS room
  FROM system.tables AS tables
  INNER JOIN (SELECT policy_name, arrayJoin(disks) AS disk FROM system.storage_policies) AS policies
    ON policies.policy_name = tables.storage_policy
  INNER JOIN system.disks AS disks ON disks.name = policies.disk
  WHERE tables.database = {database:String} AND tables.storage_policy != ''
  GROUP BY name
)
HAVING count() > 0
