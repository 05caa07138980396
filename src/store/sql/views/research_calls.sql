SELECT *, Arguments AS Query
FROM (${open_tool})
WHERE isNotNull(coalesce(NoteCount, ResultCount, AppliedMaxResults, AppliedMaxNotes)) OR isNotNull(DurationSeconds) OR DegradationMode != ''
