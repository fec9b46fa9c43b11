"""Evidence that a store is unchanged: a log of hash chains, signed checkpoints, and proofs for a match."""
