"""Benchmark of real models: household requests in several homes, by way of calling tools.

- `__main__`: command line; `runner`: asks the sentences; `report`: tables of the results.
- `ways`: the compared agents and their options.
- `home`, `bench_homes`: homes under test; `homes/`: their entities as tables; `components/`: the
  integration that creates these entities.
- `sentence`: definition of a sentence with its expected changes; `sentences*`: the sets.
- `observation`, `judging`: snapshots of a home, and verdicts.
- `check`: validation of the sentences without a model.
- `grammar_size`: cost of the action grammar.
"""
