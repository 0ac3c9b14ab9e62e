"""The database: schema, migrations, the one writer, and reading."""
