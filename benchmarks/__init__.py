"""How fast the house is, each figure beside a named peer or floor that was measured in the same run."""
