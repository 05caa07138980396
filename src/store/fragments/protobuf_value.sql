Tuple(
      string_value Nullable(String), bool_value Nullable(Bool), int_value Nullable(Int64), double_value Nullable(Float64),
      array_value Nullable(String), kvlist_value Nullable(String), bytes_value Nullable(String))
