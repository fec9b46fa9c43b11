"""What effects do to the table: zones, damage, arrivals, battles, triggers, and how an item is processed."""
