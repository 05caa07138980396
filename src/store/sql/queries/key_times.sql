-- Between which times the spans start that carry a key; no row when none does.
SELECT toString(toUnixTimestamp64Nano(min(Start))) AS first, toString(toUnixTimestamp64Nano(max(End))) AS last
FROM ${database}.plan_keys
WHERE Kind = {keyKind:String} AND Key = {key:String}
HAVING count() > 0
