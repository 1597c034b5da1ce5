"""What is measured by training: small experiments that anybody can run again on a CPU.

``python -m pe_lib.experiments --help`` lists them. Their results are kept beside them, with the
commit, the versions, the processor and the date that they come from.
"""
