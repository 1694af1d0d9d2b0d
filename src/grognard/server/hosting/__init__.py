"""What only those need who run a server for others: settings from files, several processes, upkeep, metrics of all."""
