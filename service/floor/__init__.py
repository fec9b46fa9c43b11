"""The floor: tables, clocks, calls, new matches and results of rounds."""
