"""Benchmarks. Each figure stands next to a reference measured in the same run."""
