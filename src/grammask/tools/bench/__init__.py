"""MaskBench beside another engine: `python -m grammask.tools.bench`.

runner starts the benchmark script and reads its raw results; rows turns them into figures; record keeps them with the machine they
were taken on; plot draws them. Rule: engines are compared within one run only, and ratios are over schemas that every engine compiled.
"""
