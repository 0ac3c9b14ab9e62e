"""Messages between the servers of one database. They may be lost: only the database is authoritative."""
