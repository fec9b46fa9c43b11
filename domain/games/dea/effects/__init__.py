"""What effects do to the table, and how an item of the stack is processed."""
