"""The UGI client: engines of other programs as players."""
