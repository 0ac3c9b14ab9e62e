"""Users, credentials, authentication, origins and rate limits."""
