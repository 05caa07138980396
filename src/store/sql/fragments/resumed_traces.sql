SELECT TraceId FROM ${database}.joined_rows WHERE Role = 'plan'
