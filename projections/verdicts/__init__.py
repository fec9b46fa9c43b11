"""One verdict on the screen: what differs for a viewer, and the two tables side by side."""
