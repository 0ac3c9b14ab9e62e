"""What servers of one database say to each other: a bus that carries no truth."""
