SELECT * FROM (${open_planning})
