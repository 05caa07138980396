value -> coalesce(
    (value).string_value, toString((value).int_value), toString((value).bool_value), toString((value).double_value),
    substring(toString(throwIf(
      isNotNull((value).array_value) OR isNotNull((value).kvlist_value) OR isNotNull((value).bytes_value),
      'planspan: an attribute value is an array, a map or bytes instead of text')), 2)) AS toText,
  -- Sorts by key and position, because arraySort is not stable and duplicate keys have to keep their order.
  attributes -> CAST(
    arraySort((kv, i) -> (kv.1, i), arrayMap(kv -> ((kv).key, toText((kv).value)), attributes), arrayEnumerate(attributes)),
    'Map(LowCardinality(String), String)') AS toMap
