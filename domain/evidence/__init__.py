"""What shows that a record is as it was: the chain of its entries, the tree over many, notes that are signed."""
