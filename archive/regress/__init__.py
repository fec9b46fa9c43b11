"""A rule change run over a corpus of recorded matches: judged, counted, held against what was approved, reported."""
