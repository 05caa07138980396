-- What a table takes, and what is free on the disks of its storage policy.
SELECT
  toString((SELECT sum(bytes_on_disk) FROM system.parts WHERE database = {database:String} AND table = {from:String} AND active)) AS needed,
  toString((SELECT sum(bytes_on_disk) FROM system.parts WHERE database = {database:String} AND table = {to:String} AND active)) AS copied,
  toString((
    SELECT sum(unreserved_space) FROM system.disks
    WHERE name IN (
      SELECT arrayJoin(disks) FROM system.storage_policies
      WHERE policy_name = (SELECT any(storage_policy) FROM system.tables WHERE database = {database:String} AND name = {from:String})
    )
  )) AS free
