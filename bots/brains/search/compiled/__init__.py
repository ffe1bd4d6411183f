"""The part of the search that is compiled to machine code: positions, moves, roll-outs, trees.

Everything here works on arrays of 64-bit numbers; the classes around it are in the folder above.
"""
