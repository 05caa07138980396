SELECT DISTINCT ServiceName AS service
FROM ${database}.service_operations
ORDER BY service
