${standing_agents}
