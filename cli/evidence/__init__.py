"""Evidence commands: seals, checkpoints and their verification."""
