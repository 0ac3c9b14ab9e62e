"""The games as environments: PettingZoo, Gymnasium, OpenSpiel, and many at once on an accelerator.

Each library is imported only with the module that speaks to it: `taiji_v1` (PettingZoo), `gymnasium_v1`,
`openspiel`, and `batched` (JAX). All of them need `pip install 'taiji[rl]'`.
"""
