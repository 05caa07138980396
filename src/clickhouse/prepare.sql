-- The first use of a schema settles for good where schemas lie: in the working directory, while there is one (child.js).
SELECT 1 AS n
SETTINGS format_schema_source = 'string', format_schema_message_name = 'One',
  format_schema = 'syntax = "proto3"; message One { uint32 n = 1; }'
FORMAT Protobuf;
