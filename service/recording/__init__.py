"""Recording: commands, offers, players' pages, sheets and corrections."""
