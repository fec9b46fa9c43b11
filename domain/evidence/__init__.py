"""Hash chains, Merkle trees and signed notes, by which a record is checked."""
