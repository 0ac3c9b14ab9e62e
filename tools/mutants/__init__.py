"""Mutation testing of chosen files: change one operator at a time and count how often a test notices."""
