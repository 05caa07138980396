SELECT
  ${columns}
FROM ${calls}
WHERE isNotNull(coalesce(NoteCount, ResultCount, AppliedMaxResults, AppliedMaxNotes)) OR isNotNull(DurationSeconds) OR DegradationMode != ''
