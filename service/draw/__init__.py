"""Values into markup: no decision, no door to the world, and no game by name."""
