SELECT * FROM ${ended_rows}
