"""The addresses of the REST interface, a file a subject."""
