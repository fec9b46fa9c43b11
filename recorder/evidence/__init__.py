"""What anybody can hold a store against: its log of finished chains, signed checkpoints of it, proofs for one match."""
