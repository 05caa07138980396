SELECT name FROM system.databases WHERE engine = 'Atomic'
