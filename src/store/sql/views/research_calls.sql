SELECT *, Arguments AS Query
FROM (${tool})
WHERE isNotNull(coalesce(NoteCount, ResultCount, AppliedMaxResults, AppliedMaxNotes)) OR isNotNull(DurationSeconds) OR DegradationMode != ''
