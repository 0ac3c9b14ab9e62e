"""The pure rules of a table: seats, clocks, commands, matches, views."""
