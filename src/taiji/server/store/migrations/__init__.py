"""Migrations from each schema to the next."""
