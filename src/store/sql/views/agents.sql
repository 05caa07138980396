SELECT * FROM (${agent})
