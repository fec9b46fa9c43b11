"""Sign-in: sessions, invitations and people."""
