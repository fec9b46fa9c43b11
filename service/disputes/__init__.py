"""Disputes: findings, rulings, appeals, rewinds, case files and evidence."""
