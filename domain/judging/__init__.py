"""The law applied to what is recorded: under its own rules (audit), and under others (rejudging)."""
