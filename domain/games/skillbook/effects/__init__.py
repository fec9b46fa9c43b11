"""Effects on the table: zones, damage, arrivals, battles, triggers, and the processing of items."""
