"""Builds and checks a release: `make wheels`, `make release-check`; the workflows in .github run the same."""
