"""Write the contract as one JSON schema, from which the web build generates its TypeScript types."""

from __future__ import annotations

import json
import sys

from taiji.server.contract.schema import contract_schema

if __name__ == "__main__":
    json.dump(contract_schema(), sys.stdout, indent=1)
