"""Judge recorded matches: under their own rules (audit) and under other rules (rejudging)."""
